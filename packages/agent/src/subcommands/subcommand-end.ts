/** What a subcommand prints, and its exit code. */
export interface SubcommandEnd {
  readonly text: string;
  readonly code: number;
}
