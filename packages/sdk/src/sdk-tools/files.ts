/** The tools that read, find and change files. */

/** A piece of a file that changed, as a diff has it. */
export interface PatchHunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}
/** What git says of a change. */
export interface GitFileDiff {
  filename: string;
  status: 'modified' | 'added';
  additions: number;
  deletions: number;
  changes: number;
  patch: string;
  repository?: string | null;
}
interface Changed {
  filePath: string;
  structuredPatch: PatchHunk[];
  /** The file as it was; null for one that was not there. */
  originalFile: string | null;
  gitDiff?: GitFileDiff;
  staged?: boolean;
}

export interface FileReadInput {
  file_path: string;
  offset?: number;
  limit?: number;
  /** Of a PDF: `1-5`. */
  pages?: string;
  allow_large?: boolean;
}
type ImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
/** What was read, by what it is. */
export type FileReadOutput =
  | {
      type: 'text';
      file: {
        filePath: string;
        content: string;
        numLines: number;
        startLine: number;
        totalLines: number;
        truncatedByTokenCap?: boolean;
      };
      artifactRead?: { slug: string; ver: string };
    }
  | {
      type: 'image';
      file: {
        base64: string;
        type: ImageType;
        originalSize: number;
        dimensions?: {
          originalWidth?: number;
          originalHeight?: number;
          displayWidth?: number;
          displayHeight?: number;
        };
      };
    }
  | { type: 'notebook'; file: { filePath: string; cells: unknown[] } }
  | { type: 'pdf'; file: { filePath: string; base64: string; originalSize: number } }
  | {
      type: 'parts';
      file: { filePath: string; originalSize: number; count: number; outputDir: string };
      firstPage?: number;
      pages?: { base64: string; mediaType: ImageType; error?: string }[];
    };

export interface FileEditInput {
  file_path: string;
  old_string: string;
  new_string: string;
  replace_all?: boolean;
}
export interface FileEditOutput extends Changed {
  oldString: string;
  newString: string;
  userModified: boolean;
  replaceAll: boolean;
}

export interface FileWriteInput {
  file_path: string;
  content: string;
}
export interface FileWriteOutput extends Changed {
  type: 'create' | 'update';
  content: string;
  userModified?: boolean;
}

export interface NotebookEditInput {
  notebook_path: string;
  cell_id?: string;
  new_source: string;
  cell_type?: 'code' | 'markdown';
  edit_mode?: 'replace' | 'insert' | 'delete';
}
export interface NotebookEditOutput {
  notebook_path: string;
  cell_id?: string;
  cell_type: 'code' | 'markdown';
  edit_mode: string;
  language: string;
  new_source: string;
  old_source?: string;
  original_file: string;
  updated_file: string;
  error?: string;
}

export interface GlobInput {
  pattern: string;
  path?: string;
}
export interface GlobOutput {
  filenames: string[];
  numFiles: number;
  durationMs: number;
  truncated: boolean;
  totalMatches?: number;
  countIsComplete?: boolean;
  timedOut?: boolean;
}

type GrepMode = 'content' | 'files_with_matches' | 'count';
export interface GrepInput {
  pattern: string;
  path?: string;
  glob?: string;
  type?: string;
  output_mode?: GrepMode;
  '-A'?: number;
  '-B'?: number;
  '-C'?: number;
  context?: number;
  '-i'?: boolean;
  '-n'?: boolean;
  '-o'?: boolean;
  multiline?: boolean;
  head_limit?: number;
  offset?: number;
}
export interface GrepOutput {
  mode?: GrepMode;
  filenames: string[];
  numFiles: number;
  content?: string;
  numLines?: number;
  numMatches?: number;
  totalFiles?: number;
  totalLines?: number;
  appliedLimit?: number;
  appliedOffset?: number;
  timedOut?: boolean;
}

export interface EnterWorktreeInput {
  name?: string;
  path?: string;
}
export interface EnterWorktreeOutput {
  worktreePath: string;
  worktreeBranch?: string;
  message: string;
}
export interface ExitWorktreeInput {
  action: 'keep' | 'remove';
  discard_changes?: boolean;
}
export interface ExitWorktreeOutput extends EnterWorktreeOutput {
  action: 'keep' | 'remove';
  originalCwd: string;
  tmuxSessionName?: string;
  discardedFiles?: number;
  discardedCommits?: number;
}
