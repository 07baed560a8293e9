import * as z from 'zod';

export const folderListing = z.object({
  folder: z.string().describe('its whole path'),
  parent: z.string().nullable().describe('the folder that it is in; null at the top'),
  items: z
    .array(z.object({ name: z.string(), isRepository: z.boolean() }))
    .describe('the folders in it, by name; hidden ones are left out'),
  isCut: z.boolean().describe('there are more'),
});

export const foundFiles = z.object({
  items: z.array(z.string()).describe("paths from the session's folder, the best match first"),
  isCut: z.boolean().describe('there are more'),
});

/** The folders in a folder of the hub's machine. */
export type FolderListing = z.infer<typeof folderListing>;

/** Files of a session's folder whose paths match what somebody has typed. */
export type FoundFiles = z.infer<typeof foundFiles>;
