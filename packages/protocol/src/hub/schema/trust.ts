import * as z from 'zod';

export const folderPath = z
  .string()
  .min(1)
  .max(4096)
  .describe("a path on the hub's machine, whole or from ~/");

export const folderTrust = z.object({
  folder: z.string(),
  root: z.string().describe('what is trusted, or would be: the folder, its repository, or one above it'),
  isTrusted: z.boolean(),
  withheld: z.array(z.string()).describe('what agents in it leave out, with the files that it stands in'),
});

/** Whether a person trusts a folder: whether its files may speak for them. */
export type FolderTrust = z.infer<typeof folderTrust>;
