import * as z from 'zod';

const event = z.looseObject({ type: z.string() });
export type SseEvent = z.infer<typeof event>;

/** The JSON events of a finished stream of server-sent events; what is not JSON is left out. */
export function parseSse(text: string): SseEvent[] {
  return text.split(/\r?\n\r?\n/).flatMap((frame) => {
    const data = frame
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice('data:'.length).trimStart())
      .join('\n');
    try {
      const parsed = event.safeParse(JSON.parse(data));
      return parsed.success ? [parsed.data] : [];
    } catch {
      return [];
    }
  });
}
