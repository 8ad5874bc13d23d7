/*
 * A poker bot in one C file, for any dealer that speaks the ACPC protocol 2.0.0.
 *
 *     cc -O2 bot.c -o bot
 *     ./bot [-g GAME_FILE] [-s SEED] HOST PORT
 *
 * Change decide() to make it yours; everything else can stay.  As it stands the bot plays at random:
 * it folds 6 % of the time, calls 47 % and raises 47 % by any legal size.  Without -g it plays
 * heads-up no-limit hold'em; with -g the game that the file defines.  Without -s the seed is what
 * arena match puts into the environment as ARENA_BOT_SEED, else a new one.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PLAYERS = 10, STREETS = 4, BUFFER = 1 << 16, ACTIONS_PER_STREET = 64 };

struct game {
    long no_limit, players, streets;
    long stack[PLAYERS], blind[PLAYERS]; /* chips, by position */
    long raise_size[STREETS], first_player[STREETS], max_raises[STREETS]; /* by street, from 1 */
};

static struct game game = {
    .no_limit = 1, .players = 2, .streets = 4, .stack = {20000, 20000}, .blind = {100, 50},
    .first_player = {2, 1, 1, 1}, .max_raises = {255, 255, 255, 255},
};

struct hand {                    /* what everybody can see of one hand */
    int position;                /* our place relative to the button, from 0 */
    int actor;                   /* the position that acts now, -1 when the hand is over */
    int street;                  /* from 0 */
    long to_match;               /* chips it takes to stay in, counted over the whole hand */
    long spent[PLAYERS];         /* chips put in over the whole hand, blinds included */
    int folded[PLAYERS];         /* 1 after a fold */
    long raise_from, raise_up_to; /* legal totals for a raise, 0 where none is legal */
    const char *cards;           /* "AhKd|/2c3c4c": hole cards by position, board by street */
};

static uint64_t seed, random_state; /* the state begins anew at each decision */

static uint64_t mix(uint64_t word)
{
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
    word = (word ^ word >> 27) * 0x94d049bb133111ebu;
    return word ^ word >> 31;
}

static double random_unit(void) /* uniform in [0, 1): splitmix64 */
{
    return (double)(mix(random_state += 0x9e3779b97f4a7c15u) >> 11) / 9007199254740992.0;
}

/* Write the action into `action`: "f", "c", "r" (limit) or "r<total chips>" (no-limit). */
static void decide(const struct hand *hand, char action[16])
{
    double fold = hand->to_match > hand->spent[hand->position] ? 0.06 : 0.0;
    double raise = hand->raise_up_to ? 0.47 : 0.0;
    double pick = random_unit() * (fold + 0.47 + raise);
    if (pick < fold)
        strcpy(action, "f");
    else if (pick < fold + 0.47)
        strcpy(action, "c");
    else if (game.no_limit)
        sprintf(action, "r%ld", hand->raise_from +
                (long)(random_unit() * (hand->raise_up_to - hand->raise_from + 1)));
    else
        strcpy(action, "r");
}

/* ---- the rules of the betting: who acts, and which raises are legal ---- */

static long min(long a, long b) { return a < b ? a : b; }
static long max(long a, long b) { return a > b ? a : b; }

static int next_to_act(const struct hand *hand, long position)
{
    for (int step = 0; step < game.players; step++) {
        int candidate = (position + step) % game.players;
        if (!hand->folded[candidate] && hand->spent[candidate] < game.stack[candidate])
            return candidate;
    }
    return -1;
}

/* Replay betting text such as "cr300c/cc" up to its colon.  Returns 0 where it makes no sense. */
static int replay(const char *text, struct hand *hand)
{
    int raises = 0, actions = 0, settled = 0, alive, able; /* on this street */
    long big_blind = 0;
    for (int p = 0; p < game.players; p++) {
        hand->spent[p] = game.blind[p];
        hand->folded[p] = 0;
        big_blind = max(big_blind, game.blind[p]);
    }
    long smallest = big_blind ? 2 * big_blind : 1;
    hand->street = 0;
    hand->to_match = big_blind;
    hand->actor = next_to_act(hand, game.first_player[0] - 1);
    for (; *text != ':'; text++) {
        int actor = hand->actor;
        if (*text == '/' && actor >= 0)
            continue;
        if (actor < 0) { /* only slashes may follow the end of a hand */
            if (*text != '/')
                return 0;
            continue;
        }
        if (*text == 'f') {
            hand->folded[actor] = 1;
        } else if (*text == 'c') {
            hand->spent[actor] = min(hand->to_match, game.stack[actor]);
            settled += hand->spent[actor] < game.stack[actor];
        } else if (*text == 'r') {
            long to = min(hand->to_match + game.raise_size[hand->street], game.stack[actor]);
            if (game.no_limit) {
                char *end;
                to = strtol(text + 1, &end, 10);
                smallest = max(smallest, 2 * to - hand->to_match);
                text = end - 1;
            }
            if (to <= hand->to_match || to > game.stack[actor])
                return 0;
            hand->to_match = hand->spent[actor] = to;
            settled = to < game.stack[actor];
            raises++;
        } else {
            return 0;
        }
        actions++;
        alive = able = 0;
        for (int p = 0; p < game.players; p++) {
            alive += !hand->folded[p];
            able += !hand->folded[p] && hand->spent[p] < game.stack[p];
        }
        if (alive == 1) {
            hand->actor = -1;
        } else if (settled < able) {
            hand->actor = next_to_act(hand, actor + 1);
        } else if (able > 1 && hand->street + 1 < game.streets) {
            hand->street++;
            smallest = hand->to_match + max(big_blind, 1);
            raises = actions = settled = 0;
            hand->actor = next_to_act(hand, game.first_player[hand->street] - 1);
        } else {
            hand->actor = -1;
        }
    }
    hand->raise_from = hand->raise_up_to = 0;
    if (hand->actor < 0 || raises >= game.max_raises[hand->street] ||
        actions + game.players > ACTIONS_PER_STREET)
        return 1;
    able = 0;
    for (int p = 0; p < game.players; p++)
        able += !hand->folded[p] && hand->spent[p] < game.stack[p];
    long stack = game.stack[hand->actor];
    if (able < 2 || stack <= hand->to_match)
        return 1;
    hand->raise_up_to = stack;
    hand->raise_from = min(smallest, stack);
    return 1;
}

/* ---- the wire ---- */

/* Answer one line of the dealer, its end already cut off.  Returns 0 on an unreadable line. */
static int answer(int dealer, char *line)
{
    struct hand hand;
    int hand_number, at = 0;
    if (*line == '#' || *line == ';')
        return 1;
    if (sscanf(line, "MATCHSTATE:%d:%d:%n", &hand.position, &hand_number, &at) != 2 || !at ||
        hand.position >= game.players || !(hand.cards = strchr(line + at, ':')) ||
        !replay(line + at, &hand))
        return 0;
    hand.cards++;
    if (hand.actor != hand.position)
        return 1;
    char reply[BUFFER + 32], action[16];
    /* By hand and betting alone: a bot that is started again in mid-match plays as it would have. */
    random_state = mix(seed + mix(((uint64_t)hand_number << 20) + (hand.cards - line)));
    decide(&hand, action);
    int length = sprintf(reply, "%s:%s\r\n", line, action);
    return write(dealer, reply, length) == length;
}

static int play(int dealer)
{
    static char buffer[BUFFER];
    size_t held = 0;
    for (;;) {
        ssize_t got = read(dealer, buffer + held, sizeof buffer - held);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return perror("bot: lost the dealer"), 1;
        if (got == 0)
            return 0; /* the dealer closes after the last hand */
        held += got;
        char *line = buffer, *end;
        while ((end = memchr(line, '\n', held - (line - buffer)))) {
            *end = '\0';
            if (end > line && end[-1] == '\r')
                end[-1] = '\0';
            if (!answer(dealer, line))
                return fprintf(stderr, "bot: not a state of this game: %s\n", line), 1;
            line = end + 1;
        }
        held -= line - buffer;
        memmove(buffer, line, held);
        if (held == sizeof buffer)
            return fprintf(stderr, "bot: line too long\n"), 1;
    }
}

static int connect_to(const char *host, const char *port)
{
    struct addrinfo *list, hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    int yes = 1, failure = getaddrinfo(host, port, &hints, &list);
    if (failure)
        return fprintf(stderr, "bot: %s: %s\n", host, gai_strerror(failure)), -1;
    int dealer = socket(list->ai_family, list->ai_socktype, list->ai_protocol);
    failure = connect(dealer, list->ai_addr, list->ai_addrlen);
    freeaddrinfo(list);
    if (failure)
        return fprintf(stderr, "bot: %s:%s: %s\n", host, port, strerror(errno)), -1;
    setsockopt(dealer, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return write(dealer, "VERSION:2.0.0\r\n", 15) == 15 ? dealer : -1;
}

/* ---- game files: "key = number number ..." lines ---- */

static void read_numbers(const char *text, long *values, int most)
{
    for (char *end; most--; text = end) {
        text += strspn(text, " \t=");
        long value = strtol(text, &end, 10);
        if (end == text)
            return;
        *values++ = value;
    }
}

static int read_game(const char *path)
{
    char line[4096];
    FILE *file = fopen(path, "r");
    if (!file)
        return perror(path), 0;
    memset(&game, 0, sizeof game);
    for (int p = 0; p < PLAYERS; p++)
        game.stack[p] = 2147483647;
    for (int s = 0; s < STREETS; s++) {
        game.first_player[s] = 1;
        game.max_raises[s] = 255;
    }
    const struct { const char *key; long *values; int most; } keys[] = {
        {"numPlayers", &game.players, 1},   {"numRounds", &game.streets, 1},
        {"stack", game.stack, PLAYERS},     {"blind", game.blind, PLAYERS},
        {"raiseSize", game.raise_size, STREETS}, {"firstPlayer", game.first_player, STREETS},
        {"maxRaises", game.max_raises, STREETS},
    };
    while (fgets(line, sizeof line, file) && strncasecmp(line, "end gamedef", 11)) {
        if (!strncasecmp(line, "nolimit", 7))
            game.no_limit = 1;
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            if (!strncasecmp(line, keys[k].key, strlen(keys[k].key)))
                read_numbers(line + strlen(keys[k].key), keys[k].values, keys[k].most);
    }
    fclose(file);
    if (game.players < 2 || game.players > PLAYERS || game.streets < 1 || game.streets > STREETS)
        return fprintf(stderr, "bot: %s is no game file\n", path), 0;
    return 1;
}

int main(int argc, char **argv)
{
    const char *given = getenv("ARENA_BOT_SEED");
    seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL) << 20 ^ getpid();
    for (int option; (option = getopt(argc, argv, "g:s:")) != -1;) {
        if (option == 's')
            seed = strtoull(optarg, NULL, 10);
        else if (option != 'g' || !read_game(optarg))
            return 2;
    }
    if (argc - optind != 2)
        return fprintf(stderr, "usage: %s [-g GAME_FILE] [-s SEED] HOST PORT\n", argv[0]), 2;
    int dealer = connect_to(argv[optind], argv[optind + 1]);
    return dealer < 0 ? 1 : play(dealer);
}
