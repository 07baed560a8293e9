import { LIMITS, SignalboxError } from '@signalbox/protocol';

/** An agent is to be launched with a profile that is not there. */
export class ProfileNotFoundError extends SignalboxError {
  constructor(name: string, known: readonly string[]) {
    const others = known.length === 0 ? 'This hub has none.' : `These are there: ${known.join(', ')}.`;
    super('PROFILE_NOT_FOUND', `There is no profile ${name}. ${others} signalbox profiles set makes one.`);
  }
}

/** A profile would hold more than an agent's environment takes, or the hub more profiles than it keeps. */
export class ProfileLimitError extends SignalboxError {
  constructor() {
    const { profiles, profileBytes } = LIMITS;
    super(
      'PROFILE_LIMIT',
      `A hub has up to ${profiles.most} profiles, each with up to ${profileBytes.most} bytes of names and values.`,
    );
  }
}

/** The file of profiles is no longer what the hub wrote. */
export class ProfilesUnreadableError extends SignalboxError {
  constructor(file: string) {
    super(
      'PROFILES_UNREADABLE',
      `${file} cannot be read as profiles. Put it back from a copy, or move it away and set the profiles again.`,
    );
  }
}
