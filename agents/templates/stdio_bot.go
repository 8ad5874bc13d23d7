// A poker bot that reads questions in JSON from standard input and writes answers to its output.
//
//	go build stdio_bot.go && arena match stdio:./stdio_bot rule        (Go 1.20 or later)
//
// Change decide to make it yours; docs/bridges.md explains the fields of a question.  As it stands
// the bot plays at random: it folds 6 % of the time, calls 47 % and raises 47 % by any legal size.
// Print nothing else: standard error is for what is to be seen.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
)

type action struct {
	Action string `json:"action"`
	To     int    `json:"to,omitempty"`
}

type legal struct {
	Action   string
	Min, Max int
}

// told has the fields that this bot looks at.
type told struct {
	Type    string
	Seed    uint64
	Message string
	Legal   []legal
}

func weight(one legal) float64 {
	if one.Action == "fold" {
		return 0.06
	}
	return 0.47
}

func decide(question told, chance *rand.Rand) action {
	total := 0.0
	for _, one := range question.Legal {
		total += weight(one)
	}
	pick := chance.Float64() * total
	chosen := question.Legal[0]
	for _, one := range question.Legal {
		chosen = one
		if pick -= weight(one); pick < 0 {
			break
		}
	}
	if chosen.Action == "raise" {
		return action{"raise", chosen.Min + chance.Intn(chosen.Max-chosen.Min+1)}
	}
	return action{Action: chosen.Action}
}

func main() {
	chance := rand.New(rand.NewSource(1))
	lines := bufio.NewReader(os.Stdin)
	answers := json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var got told
		if err := json.Unmarshal(line, &got); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		switch got.Type {
		case "hello":
			chance.Seed(int64(got.Seed))
			fmt.Println("ready")
		case "decision":
			answers.Encode(decide(got, chance))
		case "error":
			fmt.Fprintln(os.Stderr, got.Message)
		} // "result" has the chips won and the cards shown; there may be other types one day
	}
}
