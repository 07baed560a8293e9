import { ApiError } from './api-error.ts';

const MODELS = [
  {
    type: 'model',
    id: 'claude-opus-5-5',
    display_name: 'Opus (scripted)',
    created_at: '2026-08-01T00:00:00Z',
  },
  {
    type: 'model',
    id: 'claude-sonnet-4-5-20250929',
    display_name: 'Sonnet (scripted)',
    created_at: '2025-09-29T00:00:00Z',
  },
  {
    type: 'model',
    id: 'claude-haiku-4-5-20251001',
    display_name: 'Haiku (scripted)',
    created_at: '2025-10-01T00:00:00Z',
  },
] as const;

/** The answer to `GET /v1/models`. */
export function modelList(): unknown {
  return { data: MODELS, has_more: false, first_id: MODELS[0].id, last_id: MODELS[MODELS.length - 1]?.id };
}

/** The answer to `GET /v1/models/:id`. */
export function modelById(id: string): unknown {
  const model = MODELS.find((candidate) => candidate.id === id);
  if (!model) throw new ApiError(404, `model: ${id}`);
  return model;
}
