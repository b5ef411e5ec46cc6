// Words of a command that somebody may paste.

/** Quoted where a shell would act on it: a nick may have `|`, a backtick or a brace. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
