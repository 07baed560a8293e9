import { CloseIcon } from '../parts/icons.tsx';
import { t } from '../words/t.ts';
import type { Attachments } from './attachments.ts';

/** The images and files that go with a prompt. */
export function AttachmentList({
  images,
  files,
  onLeaveOut,
}: Attachments & {
  onLeaveOut: (id: string) => void;
}) {
  if (images.length === 0 && files.length === 0) return null;
  const leaveOut = (id: string, name: string) => (
    <button
      type="button"
      className="icon-button"
      aria-label={t.compose.leaveOut(name)}
      onClick={() => onLeaveOut(id)}
    >
      <CloseIcon />
    </button>
  );
  return (
    <ul className="attachments">
      {images.map(({ id, name, mediaType, data }) => (
        <li key={id}>
          <img src={`data:${mediaType};base64,${data}`} alt={name} />
          {leaveOut(id, name)}
        </li>
      ))}
      {files.map(({ id, name, text }) => (
        <li key={id} className="attached-file">
          <bdi>{name}</bdi> <span className="faint small">{sizeOf(text)}</span>
          {leaveOut(id, name)}
        </li>
      ))}
    </ul>
  );
}

function sizeOf({ length }: string): string {
  return length < 1000
    ? t.compose.characters(length)
    : t.compose.thousandCharacters(Math.round(length / 1000));
}
