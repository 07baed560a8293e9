/** The fields that say which prompt a message answers, where the host gave the prompt a name. */
export function answersPrompt(uuid: string | undefined) {
  return uuid === undefined ? {} : { user_message_uuid: uuid, user_message_uuids: [uuid] };
}
