import type { CostArguments } from './arguments.ts';
import type { CostTarget } from './measure.ts';

/** Adds captions to a content of the reader's channel; returns their id. */
export async function addCaptions(
  { url, credential }: Pick<CostTarget, 'url' | 'credential'>,
  { own }: Pick<CostArguments, 'own'>,
): Promise<string> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credential },
    body: JSON.stringify({
      query:
        'mutation ($id: DID!, $input: CreateContentCaptionsInput!) { createContentCaptions(id: $id, input: $input) ' +
        '{ captions { id } } }',
      variables: { id: own[0], input: { language: 'en', text: '00:01.000 --> 00:02.000\nHello\n' } },
    }),
  });
  // As selected.
  const { data } = (await response.json()) as { data?: { createContentCaptions: { captions: { id: string } } } | null };
  if (!data) throw new Error('The captions were not added.');
  return data.createContentCaptions.captions.id;
}
