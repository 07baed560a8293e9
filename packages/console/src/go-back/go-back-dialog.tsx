import { useState } from 'react';
import type { Session } from 'signalbox/hub';
import { changeDraft } from '../compose/drafts.ts';
import { EMPTY } from '../model/draft.ts';
import { firstOf } from '../model/many.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useHub } from '../shell/hub-context.ts';
import { go, pathOf } from '../shell/route.ts';
import { t } from '../words/t.ts';
import { AfterReplyDialog } from './after-reply-dialog.tsx';
import type { GoBackPlace } from './go-back-context.ts';
import { type FilePreview, useFilePreview } from './use-file-preview.ts';

interface GoBackProps {
  session: Session;
  place: GoBackPlace;
  onClose: () => void;
}

/** Go back to before a prompt, or on from a reply. */
export default function GoBackDialog(props: GoBackProps) {
  return props.place.of === 'reply' ? <AfterReplyDialog {...props} /> : <BeforePromptDialog {...props} />;
}

/** Go back to before a prompt: with the conversation, which goes on in a session of its own, with the files, or with both. */
function BeforePromptDialog({ session, place: { seq, text }, onClose }: GoBackProps) {
  const hub = useHub();
  const preview = useFilePreview(session, seq);
  const [withConversation, setWithConversation] = useState(true);
  const [withFiles, setWithFiles] = useState(false);
  const canFiles = preview.state === 'known' && preview.files.length > 0;
  const putBack = withFiles && canFiles;
  const goBack = async (): Promise<void> => {
    if (putBack)
      await hub.stream.control(session.id, { subtype: 'rewind_files', user_message_id: preview.uuid });
    if (!withConversation) return;
    const fork = await hub.api.fork(session.id, { before: seq });
    hub.add(fork);
    changeDraft(fork.id, () => ({ ...EMPTY, text }));
    go(pathOf(fork.id));
  };
  return (
    <FormDialog
      title={t.goBack.question}
      action={[t.goBack.goBack, t.goBack.goingBack]}
      isReady={withConversation || putBack}
      onSubmit={goBack}
      onClose={onClose}
    >
      <blockquote className="go-back-prompt faint" dir="auto">
        {text}
      </blockquote>
      <label className="option">
        <input
          type="checkbox"
          checked={withConversation}
          onChange={({ target }) => setWithConversation(target.checked)}
        />
        <span>
          {t.goBack.conversation}
          <span className="faint"> {t.goBack.conversationAbout}</span>
        </span>
      </label>
      <label className="option">
        <input
          type="checkbox"
          checked={putBack}
          disabled={!canFiles}
          onChange={({ target }) => setWithFiles(target.checked)}
        />
        <span>
          {t.goBack.files}
          <span className="faint"> {fileWords(preview)}</span>
        </span>
      </label>
      {preview.state === 'known' && <Files files={preview.files} />}
    </FormDialog>
  );
}

function fileWords(preview: FilePreview): string {
  if (preview.state === 'looking') return t.goBack.looking;
  if (preview.state === 'impossible') return t.goBack.impossible(preview.why);
  const { files, insertions, deletions } = preview;
  if (files.length === 0) return t.goBack.asTheyWere;
  return t.goBack.putBack(files.length, insertions, deletions);
}

function Files({ files }: { files: readonly string[] }) {
  const [shown, more] = firstOf(files);
  if (files.length === 0) return null;
  return (
    <ul className="go-back-files mono faint" aria-label={t.goBack.wouldChange}>
      {shown.map((file) => (
        <li key={file}>{file}</li>
      ))}
      {more.length > 0 && <li>{t.common.andMore(more.length)}</li>}
    </ul>
  );
}
