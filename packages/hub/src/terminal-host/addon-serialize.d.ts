// The package's own types bring those of a browser along, for all files of the program.
declare module '@xterm/addon-serialize/lib/addon-serialize.js' {
  import type { ITerminalAddon, Terminal } from '@xterm/headless';

  class SerializeAddon implements ITerminalAddon {
    activate(terminal: Terminal): void;
    dispose(): void;
    serialize(options?: { scrollback?: number }): string;
  }

  const addon: { SerializeAddon: typeof SerializeAddon };
  export default addon;
}
