package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking/cmd/landfall/metrics"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"go.yaml.in/yaml/v2"
)

// metrics returns what --admin-addr shows for Prometheus.
func (p *process) metrics() string {
	p.t.Helper()
	found := regexp.MustCompile(`msg="serving operators" url=(\S+)`).FindStringSubmatch(strings.Join(p.lines(), "\n"))
	if found == nil {
		p.t.Fatalf("no address for operators: %s", p.lines())
	}
	answer, err := http.Get(found[1] + "/metrics")
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		p.t.Fatalf("metrics: %d %s %v", answer.StatusCode, text, err)
	}
	return string(text)
}

// scrape is what Prometheus reads, by the name of the metric.
type scrape map[string]*dto.MetricFamily

func readScrape(t *testing.T, text string) scrape {
	t.Helper()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return families
}

// value is the sum of a metric over the series with these labels, given as "name=value";
// of a histogram the number of observations.
func (s scrape) value(name string, labels ...string) (sum float64) {
	for _, m := range s[name].GetMetric() {
		if !slices.ContainsFunc(labels, func(l string) bool { return !slices.Contains(labelsOf(m), l) }) {
			sum += m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	return sum
}

func labelsOf(m *dto.Metric) (labels []string) {
	for _, l := range m.GetLabel() {
		labels = append(labels, l.GetName()+"="+l.GetValue())
	}
	return labels
}

// The metrics of a server that has done a little of everything: all that are defined are
// there with the values that follow from it, and no others; the table in the documentation,
// the dashboard and the alert rules name these.
func TestMetrics(t *testing.T) {
	t.Parallel()
	works := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer works.Close()
	fails := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }))
	defer fails.Close()
	db := newDB(t)
	p := serve(t, db, "--admin-addr", "127.0.0.1:0", "--sandbox", "--allow-private-webhooks", "--rate-create", "1", "--rate-default", "0")
	for _, at := range []string{works.URL, fails.URL} {
		must(t, "webhooks", "create", "--account", defaultAccount, "--db", db, "--url", at, "--allow-private-webhooks")
	}
	track := `{"data":{"type":"tracking_request","attributes":{"request_number":"TEST-TR-SUCCEEDED","request_type":"bill_of_lading","scac":"TEST"}}}`
	p.ask(http.MethodPost, "/tracking_requests", track, nil)
	if status, _, err := p.call(p.key, http.MethodPost, "/tracking_requests", track); status != http.StatusTooManyRequests {
		t.Fatal(status, err)
	}
	p.call("lf_wrong", http.MethodGet, "/shipments", "")
	p.call(p.key, "BREW", "/nowhere", "")
	p.file("notice.json", `{"type":"x"}`)
	voyages(t, db, 0, 3)

	var got scrape
	eventually(t, 30*time.Second, func() error {
		p.list(p.key, "/shipments")
		got = readScrape(t, p.metrics())
		for _, least := range []struct {
			name   string
			labels []string
		}{
			{"landfall_http_requests_total", []string{"method=GET", "route=/v2/shipments", "status=200"}},
			{"landfall_http_requests_total", []string{"method=GET", "route=/v2/shipments", "status=401"}},
			{"landfall_http_requests_total", []string{"method=other", "route=none", "status=404"}},
			{"landfall_http_request_duration_seconds", []string{"method=POST", "route=/v2/tracking_requests"}},
			{"landfall_http_response_bytes_total", []string{"method=GET", "route=/v2/shipments"}},
			{"landfall_http_refusals_total", []string{"limit=create"}},
			{"landfall_connections_open", nil},
			{"landfall_store_commit_duration_seconds", nil},
			{"landfall_store_commit_updates", nil},
			{"landfall_store_wal_bytes", nil},
			{"landfall_store_file_bytes", nil},
			{"landfall_store_cache_reads_total", []string{"result=hit"}},
			{"landfall_store_cache_reads_total", []string{"result=miss"}},
			{"landfall_store_cache_bytes", nil},
			{"landfall_jobs_paused", []string{"kind=delivery"}},
			{"landfall_job_duration_seconds", []string{"kind=tracking_request", "outcome=done"}},
			{"landfall_job_duration_seconds", []string{"kind=document", "outcome=done"}},
			{"landfall_delivery_duration_seconds", []string{"outcome=succeeded"}},
			{"landfall_delivery_duration_seconds", []string{"outcome=http_status"}},
			{"landfall_webhook_endpoints_paused", []string{"state=failing"}},
			{"landfall_carrier_query_duration_seconds", []string{"scac=TEST", "outcome=answered"}},
			{"landfall_carrier_last_success_timestamp_seconds", []string{"scac=TEST"}},
			{"landfall_document_read_duration_seconds", nil},
			{"landfall_events_total", []string{"event=tracking_request.succeeded"}},
			{"landfall_build_info", nil},
			{"go_goroutines", nil},
			{"process_resident_memory_bytes", nil},
		} {
			if got.value(least.name, least.labels...) <= 0 {
				return fmt.Errorf("%s %v is 0", least.name, least.labels)
			}
		}
		return nil
	})
	t.Run("definitions", got.areDefined)
	t.Run("documentation", documentedMetrics)
	t.Run("dashboard", func(t *testing.T) { got.have(t, dashboardExpressions(t)) })
	t.Run("alerts", func(t *testing.T) { got.have(t, alertExpressions(t)) })
	p.stop()
}

var uuidText = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-`)

// areDefined checks that the metrics are those of metrics.Definitions, and that no label
// has an ID.
func (s scrape) areDefined(t *testing.T) {
	for _, d := range metrics.Definitions() {
		f := s[d.Name]
		if f == nil {
			t.Errorf("%s does not exist", d.Name)
			continue
		}
		if typ := strings.ToLower(f.GetType().String()); typ != d.Type || f.GetHelp() != d.Help {
			t.Errorf("%s is a %s: %s", d.Name, typ, f.GetHelp())
		}
		for _, m := range f.GetMetric() {
			var names []string
			for _, l := range m.GetLabel() {
				names = append(names, l.GetName())
				if uuidText.MatchString(l.GetValue()) {
					t.Errorf("%s has an ID: %v", d.Name, labelsOf(m))
				}
			}
			if want := slices.Sorted(slices.Values(d.Labels)); !slices.Equal(slices.Sorted(slices.Values(names)), want) {
				t.Errorf("%s has the labels %q, want %q", d.Name, names, want)
			}
		}
	}
	for name := range s {
		if strings.HasPrefix(name, "landfall_") && !slices.ContainsFunc(metrics.Definitions(), func(d metrics.Definition) bool { return d.Name == name }) {
			t.Errorf("%s is not defined", name)
		}
	}
}

// documentedMetrics checks the table of metrics in docs/operating.md.
func documentedMetrics(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "operating.md"))
	if err != nil {
		t.Fatal(err)
	}
	table := "| Metric | Type | Labels | Meaning |\n|---|---|---|---|\n"
	for _, d := range metrics.Definitions() {
		labels := ""
		if len(d.Labels) > 0 {
			labels = "`" + strings.Join(d.Labels, "`, `") + "`"
		}
		table += strings.ReplaceAll(fmt.Sprintf("| `%s` | %s | %s | %s |\n", d.Name, d.Type, labels, d.Help), "|  |", "| |")
	}
	if !strings.Contains(string(text), "\n"+table+"\n") {
		t.Errorf("the table of metrics in docs/operating.md is not\n%s", table)
	}
}

// dashboardExpressions are the queries of the dashboard.
func dashboardExpressions(t *testing.T) (list []string) {
	text, err := os.ReadFile(filepath.Join("..", "..", "deploy", "grafana", "landfall.json"))
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			ID      int
			Title   string
			Type    string
			Targets []struct{ Expr string }
		}
		Templating struct {
			List []struct{ Name, Definition string }
		}
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	ids := map[int]bool{}
	for _, panel := range dashboard.Panels {
		if ids[panel.ID] || panel.Title == "" || panel.Type != "row" && len(panel.Targets) == 0 {
			t.Errorf("panel %d %q: its ID is used twice, or it has no title or no query", panel.ID, panel.Title)
		}
		ids[panel.ID] = true
		for _, target := range panel.Targets {
			list = append(list, target.Expr)
		}
	}
	for _, variable := range dashboard.Templating.List {
		if labels, ok := strings.CutPrefix(variable.Definition, "label_values("); ok {
			metric, _, _ := strings.Cut(labels, ",")
			list = append(list, metric)
		}
	}
	return list
}

// alertExpressions are the expressions of the alert rules.
func alertExpressions(t *testing.T) (list []string) {
	text, err := os.ReadFile(filepath.Join("..", "..", "deploy", "prometheus", "alerts.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr, For    string
				Labels, Annotations map[string]string
			}
		}
	}
	if err := yaml.UnmarshalStrict(text, &file); err != nil {
		t.Fatal(err)
	}
	for _, g := range file.Groups {
		for _, r := range g.Rules {
			if !strings.HasPrefix(r.Alert, "Landfall") || !slices.Contains([]string{"critical", "warning", "info"}, r.Labels["severity"]) || r.Annotations["summary"] == "" || r.Annotations["description"] == "" {
				t.Errorf("%s has no severity, summary or description", r.Alert)
			}
			if r.For != "" {
				if _, err := time.ParseDuration(r.For); err != nil {
					t.Errorf("%s: %v", r.Alert, err)
				}
			}
			list = append(list, r.Expr)
		}
	}
	return list
}

// Parts of an expression of Prometheus.
var (
	metricName   = regexp.MustCompile(`\b(?:landfall|go|process)_[a-z0-9_]+(\{[^}]*\})?`)
	labelMatcher = regexp.MustCompile(`\s*([a-z_]+)\s*(=~|!~|!=|=)\s*"([^"]*)"\s*(?:,|$)`)
	labelList    = regexp.MustCompile(`\b(?:by|on|without|ignoring)\s*\(([^)]*)\)`)
	plainChoice  = regexp.MustCompile(`^[a-zA-Z0-9_|]+$`)
)

// serverLabels are those that Prometheus adds to each series.
var serverLabels = []string{"instance", "job"}

// have checks that the metrics of expressions exist, with the labels and the values of
// labels that they are selected and grouped by.
func (s scrape) have(t *testing.T, expressions []string) {
	if len(expressions) < 10 {
		t.Fatalf("only %d expressions", len(expressions))
	}
	for _, e := range expressions {
		if strings.Count(e, "(") != strings.Count(e, ")") || strings.Count(e, "{") != strings.Count(e, "}") || strings.Count(e, `"`)%2 != 0 {
			t.Errorf("unbalanced: %s", e)
		}
		found := metricName.FindAllStringSubmatch(e, -1)
		if len(found) == 0 && e != `up{job="landfall"} == 0` {
			t.Errorf("no metric: %s", e)
		}
		var labels []string
		for _, m := range found {
			name, _, _ := strings.Cut(m[0], "{")
			f := s.family(name)
			if f == nil {
				t.Errorf("there is no metric %s: %s", name, e)
				continue
			}
			for _, l := range f.GetMetric()[0].GetLabel() {
				labels = append(labels, l.GetName())
			}
			checkMatchers(t, e, f, strings.Trim(m[1], "{}"))
		}
		for _, list := range labelList.FindAllStringSubmatch(e, -1) {
			for label := range strings.SplitSeq(list[1], ",") {
				label = strings.TrimSpace(label)
				if label != "le" && !slices.Contains(serverLabels, label) && !slices.Contains(labels, label) {
					t.Errorf("no metric has the label %q: %s", label, e)
				}
			}
		}
	}
}

// family returns a metric by the name of one of its series.
func (s scrape) family(series string) *dto.MetricFamily {
	if f := s[series]; f != nil {
		return f
	}
	for _, suffix := range []string{"_bucket", "_sum", "_count"} {
		if f := s[strings.TrimSuffix(series, suffix)]; f.GetType() == dto.MetricType_HISTOGRAM && strings.HasSuffix(series, suffix) {
			return f
		}
	}
	return nil
}

// checkMatchers checks the matchers of a selector: that their labels exist, and the values
// that they name.
func checkMatchers(t *testing.T, e string, f *dto.MetricFamily, matchers string) {
	for len(matchers) > 0 {
		m := labelMatcher.FindStringSubmatch(matchers)
		if m == nil || !strings.HasPrefix(matchers, m[0]) {
			t.Errorf("the matchers %s cannot be read: %s", matchers, e)
			return
		}
		matchers = matchers[len(m[0]):]
		if slices.Contains(serverLabels, m[1]) {
			continue
		}
		values := []string{m[3]}
		if strings.HasSuffix(m[2], "~") {
			if _, err := regexp.Compile(m[3]); err != nil {
				t.Errorf("%v: %s", err, e)
			}
			if values = strings.Split(m[3], "|"); !plainChoice.MatchString(m[3]) {
				values = nil
			}
		}
		if !slices.ContainsFunc(f.GetMetric()[0].GetLabel(), func(l *dto.LabelPair) bool { return l.GetName() == m[1] }) {
			t.Errorf("%s has no label %s: %s", f.GetName(), m[1], e)
			continue
		}
		for _, value := range values {
			if !slices.ContainsFunc(f.GetMetric(), func(one *dto.Metric) bool { return slices.Contains(labelsOf(one), m[1]+"="+value) }) {
				t.Errorf("%s has no %s=%q: %s", f.GetName(), m[1], value, e)
			}
		}
	}
}
