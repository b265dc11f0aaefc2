package mail_test

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/mail"
	"github.com/landfallhq/tracking/storage/memory"
)

func Example() {
	sender, err := mail.New(mail.Config{
		Server: "smtp://landfall@relay.example.com:587", Password: "anchor-chain",
		From: "Landfall <landfall@example.com>", PublicURL: "https://tracking.example.com",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	tr, err := tracking.New(tracking.Config{Store: memory.New(), Mailer: sender, MasterKey: []byte(strings.Repeat("example!", 4))})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tr.Close()
	fmt.Println(sender.Check("mailto:jane@example.com"))
	// Output: <nil>
}
