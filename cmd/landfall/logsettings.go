package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/httpserver"
)

// logSettings say what serve writes to standard error, and how.
type logSettings struct {
	format logFormat
	level  logLevel
	access bool
}

// declare declares the flags.
func (s *logSettings) declare(f *flags) {
	f.Var(&s.format, "log-format", "`FORMAT` of the log: text (key=value) or json (an object a line)")
	f.Var(&s.level, "log-level", "least `LEVEL` of what is logged: debug, info, warn or error")
	f.BoolVar(&s.access, "access-log", false, "log every request of clients, at any --log-level")
}

// logFormat is the format of log lines; the zero value is text.
type logFormat struct{ json bool }

func (l *logFormat) String() string {
	if l.json {
		return "json"
	}
	return "text"
}

func (l *logFormat) Set(s string) error {
	if s != "text" && s != "json" {
		return fmt.Errorf("use text or json")
	}
	l.json = s == "json"
	return nil
}

// logLevel is the least level of log lines; the zero value is info.
type logLevel struct{ slog.Level }

// logLevels are the levels by name.
var logLevels = map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}

func (l *logLevel) String() string {
	for name, level := range logLevels {
		if level == l.Level {
			return name
		}
	}
	return l.Level.String()
}

func (l *logLevel) Set(s string) error {
	level, ok := logLevels[s]
	if !ok {
		return fmt.Errorf("use debug, info, warn or error")
	}
	l.Level = level
	return nil
}

// open returns the logger, and that of the access log; nil if there is none. They share
// a handler, so that lines are never mixed.
func (s *logSettings) open(w io.Writer) (log, access *slog.Logger) {
	options := &slog.HandlerOptions{Level: slog.LevelDebug}
	var all slog.Handler = slog.NewTextHandler(w, options)
	if s.format.json {
		all = slog.NewJSONHandler(w, options)
	}
	if s.access {
		access = slog.New(all)
	}
	return slog.New(leveled{all, s.level.Level}), access
}

// leveled leaves out the lines below a level.
type leveled struct {
	slog.Handler
	least slog.Level
}

func (h leveled) Enabled(_ context.Context, level slog.Level) bool { return level >= h.least }

func (h leveled) WithAttrs(attrs []slog.Attr) slog.Handler {
	return leveled{h.Handler.WithAttrs(attrs), h.least}
}

func (h leveled) WithGroup(name string) slog.Handler {
	return leveled{h.Handler.WithGroup(name), h.least}
}

// logRequest writes a line of the access log. It has no path, query or header: these can
// contain tokens.
func logRequest(log *slog.Logger, e httpserver.Exchange) {
	attrs := make([]slog.Attr, 0, 12)
	text := func(name, value string) {
		if value != "" {
			attrs = append(attrs, slog.String(name, value))
		}
	}
	text("request_id", e.ID)
	text("method", e.Method)
	text("route", e.Route)
	attrs = append(attrs, slog.Int("status", e.Status), slog.Int64("bytes", e.Bytes), slog.Float64("ms", milliseconds(e.Duration)))
	if e.Client.IsValid() {
		text("client", e.Client.String())
	}
	if e.Account != (tracking.AccountID{}) {
		text("account", e.Account.String())
	}
	text("key", idText(e.Key))
	text("user", idText(e.User))
	text("limit", e.Limit)
	log.LogAttrs(context.Background(), slog.LevelInfo, "request", attrs...)
}

// milliseconds is a duration with the precision of microseconds.
func milliseconds(d time.Duration) float64 {
	return math.Round(float64(d)/float64(time.Microsecond)) / 1000
}

// idText is the text of an ID; empty for none.
func idText(id tracking.ID) string {
	if id == (tracking.ID{}) {
		return ""
	}
	return id.String()
}
