// The other end of `Helper`: answers what a benchmark asks of its process.

/** Milliseconds on a clock that all processes share. */
export function sharedClockMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Serve the benchmark that started this process. */
export function serve(tasks: Record<string, (what: never) => unknown>): void {
  process.on('message', (what: { do: string }) => {
    Promise.resolve()
      .then(() => Reflect.apply(tasks[what.do] ?? (() => undefined), undefined, [what]))
      .then(
        (result: unknown) => process.send?.({ result }),
        (error: unknown) => process.send?.({ error: String(error) }),
      );
  });
  process.send?.('ready');
}

/** A message as agents write them, with its number and its time at places that are found without parsing. */
export function messageOf(number: number, atMs = 0): string {
  const text = `${String(Math.round(atMs * 1000)).padStart(16, '0')} a few words of text, as many as a reply has on its way.`;
  return (
    `{"type":"assistant","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"${text}"}]},` +
    `"parent_tool_use_id":null,"session_id":"4e72334f-9bae-403e-838e-c3776b472055",` +
    `"uuid":"5a7892a4-22dd-4225-b766-${String(number).padStart(12, '0')}"}`
  );
}

const NUMBER_END = '"}'.length;
const NUMBER_DIGITS = 12;
const TIME_START = messageOf(0).indexOf('0000000000000000 a few');
const TIME_DIGITS = 16;
const MESSAGE_BYTES = messageOf(0).length;

/** The number of the message that ends before `end`; -1 when it has none. */
export function numberIn(bytes: Buffer, end: number): number {
  return digits(bytes, end - NUMBER_END - NUMBER_DIGITS, NUMBER_DIGITS);
}

/** When that message was sent. */
export function timeIn(bytes: Buffer, end: number): number {
  return digits(bytes, end - MESSAGE_BYTES + TIME_START, TIME_DIGITS) / 1000;
}

function digits(bytes: Buffer, start: number, count: number): number {
  let value = 0;
  for (let at = start; at < start + count; at += 1) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}
