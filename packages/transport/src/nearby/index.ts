// Relays of this machine that anybody runs.

export { findRelays, type NearbyRelay } from './find-relays.ts';
