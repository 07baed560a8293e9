import { createContext, Script } from 'node:vm';
import { systemCode } from '../../base/tool-failure.ts';

const script = new Script('work()');
const desk: { work: () => void } = { work: () => {} };
let context: object | undefined;

/** Do something synchronous, but break it off, even inside of a regular expression, when it takes too long. */
export function withinTime<Result>(ms: number, work: () => Result, onTimeout: () => Error): Result {
  context ??= createContext(desk);
  const done: { result?: { value: Result } } = {};
  desk.work = () => {
    done.result = { value: work() };
  };
  try {
    script.runInContext(context, { timeout: ms });
  } catch (error) {
    if (systemCode(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw onTimeout();
    throw error;
  }
  if (!done.result) throw onTimeout();
  return done.result.value;
}
