package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// bulkSize is how many tracking requests are made at once, or one after another.
const bulkSize = 100

const bulkName = "bulk"

// bulkFigures are how long 100 tracking requests take on one connection.
type bulkFigures struct{ single, together []time.Duration }

// measureBulk makes tracking requests one by one and a hundred at a time.
func (r *run) measureBulk(ctx context.Context) error {
	if !r.wanted(bulkName) {
		return nil
	}
	r.bulk = &bulkFigures{}
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 1, MaxIdleConnsPerHost: 1}}
	defer client.CloseIdleConnections()
	made := 0
	item := func() string {
		made++
		return fmt.Sprintf(`{"type":"tracking_request","attributes":{"request_type":"bill_of_lading","request_number":"BULK%09d","scac":"MAEU"}}`, made)
	}
	post := func(path, body string, status int) error {
		in, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+r.engine.plain.addr+path, strings.NewReader(body))
		if err != nil {
			return err
		}
		in.Header.Set("Authorization", "Token "+r.engine.working.key)
		in.Header.Set("Content-Type", "application/json")
		out, err := client.Do(in)
		if err != nil {
			return err
		}
		defer out.Body.Close()
		answer, err := io.ReadAll(out.Body)
		if err == nil && (out.StatusCode != status || strings.Contains(string(answer), `"errors"`)) {
			err = fmt.Errorf("POST %s: %d %.200s", path, out.StatusCode, answer)
		}
		return err
	}
	for n := range r.rounds {
		r.round("requests in bulk", n, 1, 0)
		begun := time.Now()
		for range bulkSize {
			if err := post("/v2/tracking_requests", `{"data":`+item()+`}`, http.StatusCreated); err != nil {
				return err
			}
		}
		r.bulk.single = append(r.bulk.single, time.Since(begun))
		items := make([]string, bulkSize)
		for i := range items {
			items[i] = item()
		}
		begun = time.Now()
		if err := post("/v2/tracking_requests/bulk", `{"data":[`+strings.Join(items, ",")+`]}`, http.StatusOK); err != nil {
			return err
		}
		r.bulk.together = append(r.bulk.together, time.Since(begun))
	}
	return nil
}

func (r *results) bulkGoal() (string, bool) {
	if r.bulk == nil || len(r.bulk.together) == 0 {
		return "", false
	}
	one, all := median(r.bulk.single), median(r.bulk.together)
	faster := float64(one) / float64(all)
	return fmt.Sprintf("%s faster: %s ms for %s ms", times(faster), number(micros(all)/1000), number(micros(one)/1000)), faster >= 6
}
