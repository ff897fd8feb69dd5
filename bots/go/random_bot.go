// A bot that plays any legal move. Standard library only, no module needed.
//
// Build:        go build -o random_bot bots/go/random_bot.go
// Run a match:  referee match bao-kigogo ./random_bot random-bot
// By hand:      ./random_bot     and type messages of PROTOCOL.md, one a line
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"strings"
	"time"
)

// Message holds the fields of the referee's messages that this bot reads; json ignores all others.
type Message struct {
	Type   string `json:"type"`
	ID     int64  `json:"id"`
	Legal  string `json:"legal"`  // go: the legal moves, with single spaces between
	Code   string `json:"code"`   // fault: what this bot did wrong ...
	Detail string `json:"detail"` // ... and what about it
}

// say writes one message. Println to os.Stdout has no buffer; a bufio.Writer would need a Flush after each message.
func say(message map[string]any) {
	line, err := json.Marshal(message)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(line))
}

// choose picks one of the legal moves. This is where your ideas go.
func choose(legal []string) string {
	return legal[rand.Intn(len(legal))]
}

func main() {
	rand.Seed(time.Now().UnixNano())
	// Not a Scanner: that stops at lines of more than 64 KiB.
	input := bufio.NewReader(os.Stdin)
	for {
		line, err := input.ReadBytes('\n')
		if err != nil {
			return // the end of the input means bye
		}
		var message Message
		if err := json.Unmarshal(line, &message); err != nil {
			continue
		}
		switch message.Type {
		case "hello":
			say(map[string]any{
				"type": "hello", "protocol": 1, "name": "random_bot.go", "version": "1.0", "author": "Bao Referee",
				"games": []string{"bao-kigogo", "bao-kingulu"},
			})
		case "new_game":
			say(map[string]any{"type": "ready", "id": message.ID})
		case "go":
			move := choose(strings.Split(message.Legal, " "))
			say(map[string]any{"type": "move", "id": message.ID, "move": move})
		case "ping":
			say(map[string]any{"type": "pong", "id": message.ID})
		case "fault":
			fmt.Fprintln(os.Stderr, message.Code, message.Detail)
		case "bye":
			return
		} // Anything else (set_option, game_over, a type of a later version) needs no answer.
	}
}
