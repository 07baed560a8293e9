/** As much of a service worker as is used here: the platform's types of one and of a page exclude each other. */
export interface WorkerScope {
  registration: ServiceWorkerRegistration & { navigationPreload?: NavigationPreloadManager };
  clients: {
    matchAll(options: object): Promise<readonly { url: string; focus(): Promise<unknown> }[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: WorkEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: RequestEvent) => void): void;
  addEventListener(type: 'push', listener: (event: PushedEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: ClickEvent) => void): void;
}

/** Something that the worker stays alive for. */
export interface WorkEvent {
  waitUntil(work: Promise<unknown>): void;
}

export interface RequestEvent extends WorkEvent {
  request: Request;
  /** What the browser asked for ahead of the worker; undefined where it did not. */
  preloadResponse: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
}

export interface PushedEvent extends WorkEvent {
  data: { json(): never } | null;
}

export interface ClickEvent extends WorkEvent {
  action: string;
  notification: { tag: string; data: never; close(): void };
}
