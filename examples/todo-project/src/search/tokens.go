// Package search finds products by the words of their descriptions.
package search

import "strings"

// Tokens splits a text into lower-case words.
func Tokens(text string) []string {
	// TODO: handle languages that put no spaces between words
	return strings.Fields(strings.ToLower(text))
}
