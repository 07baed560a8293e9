import type { DeniedModelsMatch } from '../types/settings.ts';

/** Families that an entry can name as a whole. */
const FAMILIES = ['sonnet', 'opus', 'haiku', 'fable'];

/** Names that mean another model from time to time: nobody can say what an entry with one denies. */
const MOVING = ['default', 'best', 'opusplan'];

/** As models are called now, and as those of the third generation are. */
const VERSIONED = /claude-([a-z]+)-(\d+)(?:-(\d{1,2})(?![\d.]))?(?![\d.])/;
const VERSION_FIRST = /claude-(\d+)(?:-(\d{1,2})(?!\d))?-([a-z]+)/;

/** An entry may leave out the maker's name. */
const WITHOUT_MAKER = /^[a-z]+-\d+(?:-\d{1,2})?$/;

interface Version {
  family: string;
  major: string;
  minor: string | undefined;
}

/**
 * Which models a list of `deniedModels` denies, by their names alone. It grants nothing: an agent also knows what its own
 * names for models stand for. Nothing throws; what makes no sense denies nothing, and a warning says so.
 */
export async function matchDeniedModels(
  models: readonly string[],
  deniedModels: readonly string[] | undefined,
): Promise<DeniedModelsMatch> {
  const warnings: string[] = [];
  const entries = entriesOf(deniedModels, warnings);
  if (!Array.isArray(models)) {
    warnings.push('The models are not a list, so none was looked at.');
    return { denied: [], warnings };
  }
  const denied = models.map((model: unknown) => {
    if (typeof model === 'string') return entries.some((denies) => denies(plain(model)));
    warnings.push(`${String(model)} is no model's name, so it is not denied.`);
    return false;
  });
  return { denied, warnings };
}

type Entry = (model: string) => boolean;

function entriesOf(list: unknown, warnings: string[]): Entry[] {
  if (list === undefined || list === null) return [];
  if (Array.isArray(list)) return list.flatMap((entry: unknown) => entryOf(entry, warnings) ?? []);
  warnings.push('deniedModels is not a list, so it denies nothing.');
  return [];
}

function entryOf(entry: unknown, warnings: string[]): Entry | undefined {
  const name = typeof entry === 'string' ? plain(entry) : '';
  if (name === '' || MOVING.includes(name)) {
    const what = name === '' ? 'is no name' : 'means another model from time to time';
    warnings.push(`deniedModels: "${String(entry)}" ${what}, so it denies nothing.`);
    return undefined;
  }
  if (FAMILIES.includes(name)) return (model) => model === name || isOfFamily(model, name);
  const version = versionOf(WITHOUT_MAKER.test(name) ? `claude-${name}` : name);
  if (version) return (model) => covers(version, versionOf(model));
  warnings.push(`deniedModels: "${name}" denies that very name, and no other spelling of the model.`);
  return (model) => model === name;
}

/** Without a minor version an entry denies all of the major one; a model without one is the first of them. */
function covers({ family, major, minor }: Version, model: Version | undefined): boolean {
  if (model?.family !== family || model.major !== major) return false;
  return minor === undefined || minor === (model.minor ?? '0');
}

function versionOf(name: string): Version | undefined {
  const [, family, major, minor] = VERSIONED.exec(name) ?? [];
  if (family !== undefined && major !== undefined) return { family, major, minor };
  const [, first, second, last] = VERSION_FIRST.exec(name) ?? [];
  return first === undefined || last === undefined
    ? undefined
    : { family: last, major: first, minor: second };
}

function isOfFamily(model: string, family: string): boolean {
  const [, own] = model.split('claude-');
  return own?.split('-').includes(family) ?? false;
}

/** Case, surrounding space and the size of the context make no other model. */
function plain(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/(?:\[[^\]]*\])+$/, '');
}
