import { type Command, useCommands } from '../palette/commands.ts';
import { isLanguage, keepLanguage, LANGUAGES, type Language, language } from '../words/language.ts';
import { t } from '../words/t.ts';

/** The languages that the page does not speak at the moment, by their own names. */
const OTHERS: readonly (readonly [Language, string])[] = Object.entries(LANGUAGES).flatMap(([name, title]) =>
  isLanguage(name) && name !== language ? [[name, title] as const] : [],
);

/** A button for each other language. The page is loaded again in it; what is written stays. */
export function LanguageChoice() {
  return OTHERS.map(([name, title]) => (
    <button key={name} type="button" className="button quiet" lang={name} onClick={() => speak(name)}>
      {title}
    </button>
  ));
}

/** The same in the palette. */
export function useLanguageCommands(): void {
  useCommands(
    OTHERS.map(
      ([name, title]): Command => ({
        title: t.shell.inLanguage(title),
        words: 'language Sprache',
        group: 'page',
        run: () => speak(name),
      }),
    ),
  );
}

function speak(name: Language): void {
  keepLanguage(name);
  location.reload();
}
