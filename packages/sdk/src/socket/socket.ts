/** What is used of a `WebSocket`. */
export interface Socket {
  readonly bufferedAmount: number;
  addEventListener(type: 'open', listener: () => void): void;
  addEventListener(type: 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number; reason: string }) => void): void;
  /** How bytes come. */
  binaryType?: string;
  send(data: string | Uint8Array): void;
  close(code?: number): void;
}

/** The browser's `WebSocket`, or one that is like it. */
export type SocketConstructor = new (url: string, protocols: string[]) => Socket;
