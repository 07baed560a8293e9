import {
  isJsonObject,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  parseJson,
  sessionTitle,
  shortInput,
  spokenName,
  textAt,
  turnOutcome,
} from '@signalbox/protocol';

/** Writes the export of a session, line by line, as Markdown that people read. */
export class MarkdownRecord {
  #folder: string | null = null;
  #speaker = '';

  /** What a line of the export comes to; empty for what is no part of the conversation. */
  textOf(line: string): string {
    const entry = valueOf(line);
    if (entry.session !== undefined) return this.#heading(objectAt(entry, 'session'));
    if (entry.damaged === true) return this.#say('', `> Entry ${numberAt(entry, 'seq')} is damaged.`);
    const message = valueOf(textAt(entry, 'line'));
    // Sub-agents talk to their agent: what they came to is in its call.
    if (message.isReplay === true || textAt(message, 'parent_tool_use_id') !== '') return '';
    const time = numberAt(entry, 'time');
    const who = speakerOf(objectAt(entry, 'author'));
    switch (message.type) {
      case 'user':
        return this.#blocks(objectAt(message, 'message').content, who, time);
      case 'assistant':
        return this.#blocks(objectAt(message, 'message').content, 'Agent', time);
      case 'result':
        return this.#end(message);
      default:
        return message.subtype === 'compact_boundary' ? '*The conversation was summed up here.*\n\n' : '';
    }
  }

  #heading(session: JsonObject): string {
    const id = textAt(session, 'id');
    const folder = textAt(session, 'folder') || null;
    this.#folder = folder;
    const facts = [
      ['session', id],
      ['folder', folder ?? ''],
      ['agent', textAt(session, 'agent')],
      ['model', textAt(session, 'model')],
      ['created', timeWords(numberAt(session, 'createdAt'))],
    ].filter(([, value]) => value);
    const title = sessionTitle({ id, folder, title: textAt(session, 'title') || null });
    return `# ${inline(title)}\n\n${facts.map(([name, value]) => `- ${name}: \`${value}\`\n`).join('')}\n`;
  }

  #blocks(content: unknown, who: string, time: number | undefined): string {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    if (!Array.isArray(blocks)) return '';
    return blocks.map((block: unknown) => this.#block(block, who, time)).join('');
  }

  #block(block: unknown, who: string, time: number | undefined): string {
    switch (textAt(block, 'type')) {
      case 'text':
        return this.#say(
          `${who}${time === undefined ? '' : ` · ${timeWords(time)}`}`,
          textAt(block, 'text'),
          who,
        );
      case 'image':
        return this.#say(who, '*an image*', who);
      case 'tool_use': {
        const name = textAt(block, 'name');
        const input = objectAt(block, 'input');
        const short = shortInput(name, input, this.#folder);
        const rest = name === 'Bash' ? textAt(input, 'command') : JSON.stringify(input, undefined, 2);
        const head = `**${inline(spokenName(name))}** ${name === 'Bash' ? '' : inline(short)}`.trim();
        return this.#say('Agent', `${head}\n\n${fenced(rest, name === 'Bash' ? 'sh' : 'json')}`, 'Agent');
      }
      case 'tool_result': {
        const text = resultText(block);
        const failed = isJsonObject(block) && block.is_error === true ? '*It failed:*\n\n' : '';
        return text === '' ? '' : `${failed}${fenced(text, '')}\n\n`;
      }
      default:
        return '';
    }
  }

  /** A heading for each change of who speaks. */
  #say(heading: string, text: string, speaker = ''): string {
    if (text.trim() === '') return '';
    const isSame = speaker !== '' && speaker === this.#speaker;
    this.#speaker = speaker;
    return `${isSame || heading === '' ? '' : `## ${inline(heading)}\n\n`}${text.trim()}\n\n`;
  }

  #end(result: JsonObject): string {
    const outcome = turnOutcome(result);
    const cost = numberAt(result, 'total_cost_usd');
    const said =
      outcome.how === 'failed'
        ? `It failed: ${outcome.problem}`
        : outcome.how === 'well'
          ? ''
          : 'It was stopped.';
    const words = [said, cost === undefined ? '' : `$${cost.toFixed(4)} so far`].filter(Boolean).join(' ');
    this.#speaker = '';
    return words === '' ? '' : `*${inline(words)}*\n\n`;
  }
}

function speakerOf(author: JsonObject): string {
  if (author.by === 'person') return textAt(author, 'name') || 'Somebody';
  return author.by === 'hub' ? 'The hub' : 'Agent';
}

function resultText(block: unknown): string {
  const blocks = listAt(block, 'content');
  if (blocks.length === 0) return textAt(block, 'content');
  return blocks
    .map((part) => (textAt(part, 'type') === 'image' ? '(an image)' : textAt(part, 'text')))
    .join('\n');
}

/** A fence that nothing in the text ends. */
function fenced(text: string, language: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}

/** Words in a line: no mark of Markdown, and no line of its own. */
function inline(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>#]/g, '\\$&');
}

function timeWords(time: number | undefined): string {
  if (time === undefined || Math.abs(time) > 8.64e15) return '';
  return new Date(time)
    .toISOString()
    .replace(/:\d\d\.\d+Z$/, 'Z')
    .replace('T', ' ');
}

function valueOf(text: string): JsonObject {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
