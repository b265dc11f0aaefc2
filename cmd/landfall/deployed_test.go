package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v2"
)

// TestDeployFiles: the files for containers are YAML, and their settings are those of the program.
func TestDeployFiles(t *testing.T) {
	help := run(t, "serve", "--help")
	for _, name := range []string{"../../deploy/compose/compose.yaml", "../../deploy/kubernetes/landfall.yaml"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		documents := 0
		for d := yaml.NewDecoder(bytes.NewReader(text)); ; documents++ {
			var document map[string]any
			if err := d.Decode(&document); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if documents == 0 {
			t.Errorf("%s is empty", name)
		}
		for _, variable := range regexp.MustCompile(`\bLANDFALL_[A-Z_]+`).FindAllString(string(text), -1) {
			flag := "--" + strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(variable, "LANDFALL_"), "_", "-"))
			if variable != masterKeyVariable && !strings.Contains(help.stdout+help.stderr, flag) {
				t.Errorf("%s: landfall serve has no setting %s", name, variable)
			}
		}
	}
}
