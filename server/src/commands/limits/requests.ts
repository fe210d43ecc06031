import { cursorLengthMax, limitDefault, limitMax, pageBytesMax, totalMax } from '../../api/list.ts';
import {
  freeBytesMax,
  freeFieldsMax,
  idempotencyKeyLengthMax,
  parameterLengthMax,
  shortTextMax,
} from '../../api/texts.ts';
import { jsonDepthMax, jsonValuesMax } from '../../lib/http/json-bounds.ts';
import { defaultLimits, headersTimeoutMs, jsonBodyBytesMax, paramLengthMax } from '../../lib/http/server.ts';
import { headBytesMax } from '../../lib/http/unreadable.ts';
import { problemsMax } from '../../lib/http/validate.ts';
import { entitiesMax, followedMax, passedMax, tiesMax } from '../../ml/network/around.ts';
import { searchedRowsMax } from '../../ml/network/explore.ts';
import { echoedLengthMax } from '../../ml/version/schema.ts';
import {
  alternativesMax,
  changeableMax,
  changesMax,
  triesMax,
} from '../../resources/counterfactuals/counterfactual.ts';
import { domainsMax } from '../../resources/domains/domain.ts';
import { mappedMax } from '../../resources/embeddings/map.ts';
import { keyLengthMax, keysMax, neighborsMax } from '../../resources/embeddings/routes.ts';
import { foundMax, hopsMax, pathHopsMax } from '../../resources/entities/explore.ts';
import { identifierLengthMax } from '../../resources/erasures/routes.ts';
import { rulesMax } from '../../resources/ip-rules/ip-rule.ts';
import { aliasLengthMax } from '../../resources/models/alias.ts';
import { passkeysMax } from '../../resources/passkeys/passkey.ts';
import { inputBytesMax, inputsMax } from '../../resources/predictions/prediction.ts';
import { lookedAtMax, versionsMax } from '../../resources/predictions/sql.ts';
import { bucketNames, countedMax, spansOf } from '../../resources/predictions/statistics.ts';
import { connectionsMax } from '../../resources/sso-connections/connection.ts';
import { entriesMax, listsMax, keysMax as watchedKeysMax } from '../../resources/watch-lists/watch-list.ts';
import { testsMax } from '../../resources/webhooks/deliveries/replay.ts';
import { webhooksMax } from '../../resources/webhooks/webhook.ts';
import type { Limit, LimitSection } from './limit.ts';
import { bytes, characters, count, durationOfMs } from './units.ts';

export const requestLimits: LimitSection = {
  title: 'Requests',
  limits: [
    ['Body of JSON', bytes(jsonBodyBytesMax), ['body_too_large'], 'Send it in several requests; send data as files.'],
    ['Values in a body of JSON', count(jsonValuesMax), ['limit_exceeded'], 'Send it in several requests.'],
    ['Levels of lists and objects in a body of JSON', count(jsonDepthMax), ['malformed_json'], 'Send it flatter.'],
    ['First line and headers', bytes(headBytesMax), ['headers_too_large'], 'Send fewer or shorter headers.'],
    [
      'A name or id in the path of an address',
      characters(paramLengthMax),
      ['route_not_found'],
      'Nothing has a longer one: look at how the address was made.',
    ],
    [
      'An id, a name or another short text of a request',
      characters(shortTextMax),
      ['schema_mismatch', 'invalid_parameter'],
      'Send a shorter one.',
    ],
    ['A parameter of a query', characters(parameterLengthMax), ['invalid_parameter'], 'Send a shorter one.'],
    ['A cursor', characters(cursorLengthMax), ['invalid_parameter'], 'Send next_cursor as it was answered.'],
    ['Fields of metadata', count(freeFieldsMax), ['schema_mismatch'], 'Keep what is more with you.'],
    ['All metadata as JSON', bytes(freeBytesMax), ['schema_mismatch'], 'Keep what is more with you.'],
    ['Inputs of a prediction', count(inputsMax), ['schema_mismatch'], 'Send those that the version has.'],
    ['A prediction as JSON', bytes(inputBytesMax), ['schema_mismatch'], 'Send shorter texts.'],
    [
      'The correlation_id or reference_id of a prediction',
      characters(echoedLengthMax),
      ['invalid_input'],
      'Send a shorter one.',
    ],
    [
      'Inputs that may be changed in a search for counterfactuals',
      count(changeableMax),
      ['schema_mismatch'],
      'Name those that matter most.',
    ],
    ['Inputs changed at once by a counterfactual', count(changesMax), ['schema_mismatch'], 'Ask for fewer.'],
    ['Counterfactuals of a search', count(alternativesMax), ['schema_mismatch'], 'Search again with other inputs.'],
    [
      'Cases that a search for counterfactuals tries',
      count(triesMax),
      [],
      'The answer says that not all were tried: name fewer inputs, or larger steps.',
    ],
    ...bucketNames.map(
      (name): Limit => [
        `Time of which predictions are counted by ${name === 'all' ? 'bucket=all' : name}`,
        `${count(spansOf[name].daysMax)} days`,
        ['invalid_parameter'],
        'Ask for several times, one after the other.',
      ],
    ),
    [
      'Predictions that a page looks at for those that fit a filter other than their entity',
      count(lookedAtMax),
      [],
      'Go on by next_cursor, or narrow the time.',
    ],
    [
      'Predictions of a workspace that lie in a time of which they are counted',
      count(countedMax),
      ['limit_exceeded'],
      'Ask for a shorter time.',
    ],
    [
      'Versions that are counted one by one in an hour or day',
      count(versionsMax),
      [],
      'The others are counted together: ask by version_id.',
    ],
    [
      'Rules about addresses of an organization, of a workspace or of a key',
      count(rulesMax),
      ['limit_exceeded'],
      'Name larger networks.',
    ],
    ['Domains of an organization', count(domainsMax), ['limit_exceeded'], 'Delete those that you no longer use.'],
    [
      'Connections of an organization to identity providers',
      count(connectionsMax),
      ['limit_exceeded'],
      'Delete those that you no longer use.',
    ],
    ['Watch lists of a workspace', count(listsMax), ['limit_exceeded'], 'Delete those that you no longer use.'],
    ['Entries of a watch list', count(entriesMax), ['limit_exceeded'], 'Make another list for the rest.'],
    ['Keys of a request about a watch list', count(watchedKeysMax), ['schema_mismatch'], 'Send several requests.'],
    ['Webhooks of a workspace', count(webhooksMax), ['limit_exceeded'], 'Delete those that you no longer use.'],
    [
      'Test events of a workspace that are still being sent',
      count(testsMax),
      ['limit_exceeded'],
      'Send more when those have ended.',
    ],
    ['Passkeys of one person', count(passkeysMax), ['limit_exceeded'], 'Delete one that you no longer use.'],
    [
      'Idempotency-Key',
      characters(idempotencyKeyLengthMax),
      ['malformed'],
      'Take a random one, or the hash of a longer one.',
    ],
    [
      'Time in which the head of a request arrives',
      durationOfMs(headersTimeoutMs),
      ['timeout'],
      'Send it again, over a faster connection.',
    ],
    [
      'Time in which a body of JSON arrives',
      durationOfMs(defaultLimits.bodyMs),
      ['timeout'],
      'Send less at once, or over a faster connection.',
    ],
    [
      'Silence of a connection during a request or an answer',
      durationOfMs(defaultLimits.silenceMs),
      [],
      'The connection is closed: send the request again. A download goes on with a Range.',
    ],
    [
      'Requests in flight when the service stops',
      durationOfMs(defaultLimits.closeMs),
      [],
      'The connection is then closed: send the request again, with its Idempotency-Key.',
    ],
    [
      'Entries of a page of a list',
      `${count(limitMax)}; ${count(limitDefault)} by default`,
      [],
      'Fewer are sent than were asked for: follow next_cursor.',
    ],
    [
      'Entries of a list that are counted by count=true',
      count(totalMax),
      [],
      'Narrow the list: total.has_more is true where there are more.',
    ],
    [
      'Rows of a page of a list',
      bytes(pageBytesMax),
      [],
      'The page ends early: follow next_cursor while has_more is true.',
    ],
    [
      'Faults of one request that a refusal names',
      count(problemsMax),
      [],
      'Correct those that are named, and send it again.',
    ],
    ['Name of an alias', characters(aliasLengthMax), ['schema_mismatch', 'invalid_parameter'], 'Take a shorter one.'],
    ['Keys to embed at once', count(keysMax), ['schema_mismatch'], 'Send them in several requests.'],
    ['A key to embed', characters(keyLengthMax), ['schema_mismatch'], 'Send the key as the tables have it.'],
    ['Entities that a search finds', count(foundMax), ['invalid_parameter'], 'Send more of the key.'],
    [
      'Rows whose keys a search looks at',
      count(searchedRowsMax),
      [],
      'The others are found by their whole key: is_complete is false.',
    ],
    ['Ties between an entity and those of its network', count(hopsMax), ['invalid_parameter'], 'Ask about those.'],
    ['Ties of a path between two entities', count(pathHopsMax), ['invalid_parameter'], 'Ask for fewer.'],
    [
      'Entities of a network',
      `${count(entitiesMax)}, of which each is followed to ${count(followedMax)}, with ${count(tiesMax)} ties`,
      [],
      'What is left out is counted in left_out: ask about those at its edge.',
    ],
    [
      'Entities that are looked at for a path between two',
      count(passedMax),
      [],
      'Where there were more, is_complete is false: ask for fewer ties.',
    ],
    ['Entities of a map of embeddings', count(mappedMax), ['invalid_parameter'], 'Ask for fewer: they are a sample.'],
    ['Neighbors at once', count(neighborsMax), ['schema_mismatch'], 'Ask for fewer.'],
    [
      'Identifier to erase',
      characters(identifierLengthMax),
      ['schema_mismatch'],
      'Send the identifier as the files spell it.',
    ],
  ],
};
