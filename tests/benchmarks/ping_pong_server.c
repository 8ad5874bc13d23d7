/* A bare line ping-pong with as many messages as a match: the limit of what a dealer can reach.

     ping_pong_server HANDS TURNS

   Prints two ports; then as tests/benchmarks/ping_pong.py, with blocking calls. */

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int side[2];
static char wait_line[50], act_line[50];

static void show(int at, const char *line) {
    if (send(side[at], line, 48, MSG_NOSIGNAL) != 48) exit(1);
}

int main(int count, char **words) {
    if (count != 3) return 2;
    long hands = atol(words[1]), turns = atol(words[2]), hand = 0;
    int door[2], one = 1;
    memset(wait_line, 'x', sizeof wait_line);
    memset(act_line, 'x', sizeof act_line);
    memcpy(wait_line + 46, "\r\n", 2);
    memcpy(act_line + 46, "\r\n", 2);
    wait_line[0] = 'W';
    act_line[0] = 'A';
    for (int at = 0; at < 2; at++) {
        struct sockaddr_in address = {.sin_family = AF_INET};
        socklen_t size = sizeof address;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        door[at] = socket(AF_INET, SOCK_STREAM, 0);
        if (bind(door[at], (struct sockaddr *)&address, size) || listen(door[at], 1)) return 1;
        getsockname(door[at], (struct sockaddr *)&address, &size);
        printf("%d ", ntohs(address.sin_port));
    }
    printf("\n");
    fflush(stdout);
    for (int at = 0; at < 2; at++) {
        side[at] = accept(door[at], NULL, NULL);
        setsockopt(side[at], IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    }
    for (long turn = 0; turn < turns; turn++) {
        char answer[4096];
        int acting = turn % 2;
        if (turn * hands >= hand * turns) {
            hand++;
            show(0, wait_line);
            show(1, wait_line);
        }
        show(0, acting ? wait_line : act_line);
        show(1, acting ? act_line : wait_line);
        ssize_t got;
        do {
            got = recv(side[acting], answer, sizeof answer, 0);
            if (got <= 0) return 1;
        } while (answer[got - 1] != '\n');
    }
    return 0;
}
