import { CloseIcon } from '../parts/icons.tsx';
import type { Attachment } from './attachments.ts';

/** The images that go with a prompt. */
export function AttachmentList({
  images,
  onLeaveOut,
}: {
  images: readonly Attachment[];
  onLeaveOut: (id: string) => void;
}) {
  if (images.length === 0) return null;
  return (
    <ul className="attachments">
      {images.map(({ id, name, mediaType, data }) => (
        <li key={id}>
          <img src={`data:${mediaType};base64,${data}`} alt={name} />
          <button
            type="button"
            className="icon-button"
            aria-label={`Leave out ${name}`}
            onClick={() => onLeaveOut(id)}
          >
            <CloseIcon />
          </button>
        </li>
      ))}
    </ul>
  );
}
