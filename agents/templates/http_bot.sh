#!/bin/sh
# A poker bot that plays at `arena server` by HTTP, with curl and jq.
#
#     sh http_bot.sh http://127.0.0.1:9380 TOKEN_FILE my-bot rule 100
#
# The last words are the bot's name, its opponent and hands.  REQUEST=7 in the environment goes on
# with request 7.  It makes the smallest raise, or else checks or calls; see docs/json.md.

: "${5:?want SERVER TOKEN_FILE BOT OPPONENT HANDS}"
server=${1%/} token=$2 bot=$3 opponent=$4 hands=$5
[ -r "$token" ] || { echo "$token: cannot be read" >&2 && exit 1; }

ask() {  # curl waits and asks again where the server is busy, or is started again
    printf 'header = "Authorization: Bearer %s"\n' "$(cat "$token")" |
        curl --config - -fsS --retry 60 --retry-connrefused --retry-max-time 600 "$@"
}

sha256() { sha256sum | cut -d " " -f 1; }

words=$(od -A n -N 16 -t x1 /dev/urandom | tr -d " \n")
wanted=$(jq -n --arg bot "$bot" --arg opponent "$opponent" --argjson hands "$hands" \
    --arg words_sha256 "$(printf %s "$words" | sha256)" \
    '{$bot, digest: "http_bot 1", $opponent, $hands, $words_sha256}')
[ -z "$REQUEST" ] || words=
request=${REQUEST:-$(ask --data "$wanted" "$server/api/requests" | jq .request)}
[ -n "$request" ] || exit 1
echo "request $request"
play=$server/api/requests/$request/play event=0 state=waiting commitment=
while [ "$state" = waiting ] || [ "$state" = playing ]; do
    answer=$(ask "$play?after=$event")
    case $? in
        0) ;;
        22) exit 1 ;;  # refused, such as for a wrong token
        *) sleep 2 && continue ;;
    esac
    state=$(printf '%s' "$answer" | jq -r .state)
    event=$(printf '%s' "$answer" | jq .event)
    commitment=${commitment:-$(printf '%s' "$answer" | jq -r '.deals.commitment // empty')}
    [ "$(printf '%s' "$answer" | jq .deals.words_wanted)" != true ] ||
        ask -o /dev/null --data "{\"words\": \"$words\"}" "${play%play}words"
    printf '%s' "$answer" |
        jq -c '.decisions[] | {id, action: .legal[-1].action, to: .legal[-1].min}' |
        while read -r action; do ask -o /dev/null --data "$action" "$play"; done
done
printf '%s' "$answer" | jq -c '.result // .'
secret=$(printf '%s' "$answer" | jq -r 'select(.result.hands_played > 0).result.secret')
said=$(printf '%s' "$answer" | jq -r '.result.words // empty')
if [ -n "$secret" ]; then
    shown=$(for byte in $(echo "$secret" | sed 's/../& /g'); do
        printf "\\$(printf %03o "0x$byte")"
    done | sha256)
    case $shown:$said in
        "$commitment":*"$words"*) ;;
        *) echo "the host may have chosen the cards" >&2 && exit 1 ;;
    esac
fi
