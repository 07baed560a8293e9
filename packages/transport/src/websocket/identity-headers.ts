import { bearerToken } from './bearer-token.ts';

/** Who is dialling, or posting: the token, and the version of what runs the agent where there is one. */
export function identityHeaders({
  env = process.env,
  ingressToken,
}: {
  env?: NodeJS.ProcessEnv;
  ingressToken?: string;
}): Record<string, string> {
  const token = bearerToken({ env, ingressToken });
  const runner = env.CLAUDE_CODE_ENVIRONMENT_RUNNER_VERSION;
  return {
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(runner ? { 'x-environment-runner-version': runner } : {}),
  };
}
