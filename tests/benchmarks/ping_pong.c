/* The cheapest possible bot: answers each line that starts with 'A' by the same line and ":c". */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    static char in[1 << 16], out[1 << 16];
    struct sockaddr_in address = {.sin_family = AF_INET};
    size_t held = 0;
    int one = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    if (argc != 3) return 2;
    address.sin_port = htons((unsigned short)atoi(argv[2]));
    inet_pton(AF_INET, argv[1], &address.sin_addr);
    if (connect(fd, (struct sockaddr *)&address, sizeof address)) return 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    for (;;) {
        ssize_t got = read(fd, in + held, sizeof in - held);
        char *line = in, *end;
        if (got <= 0) return 0;
        held += (size_t)got;
        while ((end = memchr(line, '\n', held - (size_t)(line - in)))) {
            if (*line == 'A') {
                size_t length = (size_t)(end - line) - 1;
                memcpy(out, line, length);
                memcpy(out + length, ":c\r\n", 4);
                if (write(fd, out, length + 4) < 0) return 0;
            }
            line = end + 1;
        }
        held -= (size_t)(line - in);
        memmove(in, line, held);
    }
}
