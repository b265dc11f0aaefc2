package s3

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/minio/minio-go/v7/pkg/s3utils"
)

// scheme of the URL of a bucket.
const scheme = "s3://"

// IsURL reports whether a text is meant as the URL of a bucket.
func IsURL(text string) bool { return strings.HasPrefix(text, scheme) }

// direct is the value of parameters for what clients do without the server.
const direct = "direct"

// parameters of the URL of a bucket.
var parameters = []string{"endpoint", "region", "sse", "kms_key", "downloads", "uploads"}

// ParseURL reads s3://BUCKET/PREFIX with the parameters endpoint (as
// https://s3.example:9000), region, sse (s3 or kms), kms_key, downloads and uploads (server
// or direct), each at most once. The prefix and the parameters may be absent.
//
// Errors say which part is wrong. Credentials are refused: URLs are seen in lists of
// processes.
func ParseURL(text string) (Config, error) {
	u, err := url.Parse(text)
	if err != nil || !IsURL(text) {
		return Config{}, errors.New("the URL of a bucket must be s3://BUCKET/PREFIX") // the text may have a secret
	}
	if u.User != nil {
		return Config{}, errors.New("the URL of a bucket has no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment")
	}
	if u.Fragment != "" {
		return Config{}, errors.New("the URL of a bucket must not have a #")
	}
	values, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return Config{}, errors.New("the parameters of the URL of a bucket cannot be read: write %26 for & in a value")
	}
	for name, list := range values {
		if !slices.Contains(parameters, name) {
			return Config{}, fmt.Errorf("the URL of a bucket has no parameter %q: there are %s", name, strings.Join(parameters, ", "))
		}
		if len(list) > 1 {
			return Config{}, fmt.Errorf("the URL of a bucket has %s more than once", name)
		}
	}
	c := Config{
		Bucket: u.Host, Prefix: strings.Trim(u.Path, "/"), Endpoint: values.Get("endpoint"), Region: values.Get("region"),
		Encryption: Encryption(values.Get("sse")), KMSKey: values.Get("kms_key"),
		DirectDownloads: values.Get("downloads") == direct, DirectUploads: values.Get("uploads") == direct,
	}
	for _, way := range []string{"downloads", "uploads"} {
		if value := values.Get(way); value != "" && value != "server" && value != direct {
			return c, fmt.Errorf("%s=%s is unknown: it is server or direct", way, value)
		}
	}
	return c, c.check()
}

// check finds mistakes without a request.
func (c Config) check() error {
	if err := s3utils.CheckValidBucketNameStrict(c.Bucket); err != nil {
		return fmt.Errorf("the bucket %q: %w", c.Bucket, err)
	}
	if c.Prefix != "" {
		if err := s3utils.CheckValidObjectNamePrefix(c.Prefix); err != nil {
			return fmt.Errorf("the prefix %q: %w", c.Prefix, err)
		}
	}
	if _, _, err := c.endpoint(); err != nil {
		return err
	}
	_, err := c.serverSide()
	return err
}

// endpoint returns the host of the store, and whether it is asked by TLS.
func (c Config) endpoint() (host string, secure bool, err error) {
	if c.Endpoint == "" {
		return "s3.amazonaws.com", true, nil
	}
	u, err := url.Parse(c.Endpoint)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" {
		return "", false, errors.New("endpoint must be https:// or http:// and a host, with a port or without")
	}
	return u.Host, u.Scheme == "https", nil
}
