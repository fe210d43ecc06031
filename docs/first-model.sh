#!/bin/sh
# From CSV files to a prediction in six calls.
#
#   KEY=lst_… docs/first-model.sh <folder of CSV files> '<query>' ['<inputs as JSON>']
#
# Each file becomes the table of its name. The query says what to predict, the inputs for whom; without them it ends by
# saying which ones the model takes:
#
#   KEY=lst_… docs/first-model.sh shop 'PREDICT NOT exists(orders) WITHIN 30d FOR customers' '{"customer_id": "C1"}'
#
# URL is where the service answers (http://localhost:4000), NAME what the model is called (first).
set -eu
FOLDER=$1 QUERY=$2 INPUTS=${3-}
: "${KEY:?the key that admin bootstrap printed}" "${URL:=http://localhost:4000}" "${NAME:=first}"

ask() {   # <curl's arguments>: keeps the answer, and ends with it where it is a refusal
  ANSWER=$(curl -sS --fail-with-body -H "Authorization: Bearer $KEY" "$@") || { printf '%s\n' "$ANSWER" "${HINT-}" >&2; exit 1; }
}
json() { ask "$URL$1" -H 'Content-Type: application/json' -d "$2"; }
field() { printf %s "$ANSWER" | sed 's/^{/,/' | grep -o ",\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }
ended() {   # <address of work>: waits for its end, and ends with the answer where it did not succeed
  while ask "$URL$1?wait=60"; do
    case $(field status) in
      queued | running) ;;
      succeeded) return ;;
      *) printf '%s\n' "$ANSWER" >&2; exit 1 ;;
    esac
  done
}

# 1. Send the files, take them in, and accept the contract that is read off them.
set --
for FILE in "$FOLDER"/*.csv; do set -- "$@" -F "$(basename "$FILE" .csv)=@$FILE"; done
ask "$URL/v1/api/ingestions" "$@" -F accept_contract=true
# 2. Wait until they are in.
ended "/v1/api/ingestions/$(field id)"
# 3. Ask a question.
ask "$URL/v1/api/tasks" -F "name=$NAME" --form-string "definition=$QUERY"
# 4. Learn to answer it.
json /v1/api/training-runs "{\"task_id\": \"$(field id)\", \"alias\": \"production\"}"
MODEL=$(field model_id)
echo "Learning: $URL/v1/api/training-runs/$(field id) tells how far it is." >&2
# 5. Wait until it has been learned.
ended "/v1/api/training-runs/$(field id)"
# 6. Predict.
VERSION=$(field version_id)
HINT="The model is learned. $URL/v1/api/models/$MODEL/versions/$VERSION lists its inputs; ask again:
curl -s $URL/v1/api/prediction/$MODEL/production -H \"Authorization: Bearer \$KEY\" -H 'Content-Type: application/json' -d '{…}'"
if [ -z "$INPUTS" ]; then
  ask "$URL/v1/api/models/$MODEL/versions/$VERSION"
  NEEDED=$(printf %s "$ANSWER" | sed 's/"outputs":.*//' | grep -o '"name":"[^"]*","type":"[^"]*","required":true' | cut -d '"' -f 4)
  printf '%s\nIt needs: %s\n' "$HINT" "$(printf %s "$NEEDED" | tr '\n' ' ')"
  exit
fi
json "/v1/api/prediction/$MODEL/production" "$INPUTS"
printf '%s\n' "$ANSWER"
