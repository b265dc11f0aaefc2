// Package catalog has the texts of the dashboard by language, which e-mails use too, and the forms
// of times in them.
package catalog

import (
	"embed"
	"encoding/json"
	"fmt"
	"time"
)

//go:embed *.json
var files embed.FS

// Read returns the texts of a language, such as en, by key. A text may have verbs of package fmt
// for its arguments.
func Read(language string) (map[string]string, error) {
	data, err := files.ReadFile(language + ".json")
	if err != nil {
		return nil, fmt.Errorf("there is no catalogue %q", language)
	}
	texts := map[string]string{}
	if err := json.Unmarshal(data, &texts); err != nil {
		return nil, fmt.Errorf("catalogue %q: %w", language, err)
	}
	return texts, nil
}

// ZoneLabel is the difference of a time from UTC, which names a zone without doubt: UTC+8,
// UTC−3:30.
func ZoneLabel(at time.Time) string {
	_, seconds := at.Zone()
	if seconds == 0 {
		return "UTC"
	}
	sign := "+"
	if seconds < 0 {
		sign, seconds = "−", -seconds
	}
	label := fmt.Sprintf("UTC%s%d", sign, seconds/3600)
	if minutes := seconds % 3600 / 60; minutes != 0 {
		label += fmt.Sprintf(":%02d", minutes)
	}
	return label
}
