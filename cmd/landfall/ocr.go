package main

import (
	"github.com/landfallhq/tracking/classify/extract"
)

// ocrSettings say how text in pictures is recognised.
type ocrSettings struct{ program, languages string }

const ocrAuto, ocrOff = "auto", "off"

func (s *ocrSettings) declare(f *flags) {
	f.StringVar(&s.program, "ocr", ocrAuto, "recognise text in scans and photos with tesseract: auto, where it is installed; off; or its `PATH`")
	f.StringVar(&s.languages, "ocr-languages", "", "`LANGUAGES` of tesseract, such as eng+deu (default those that are installed, at most four)")
}

func (s *ocrSettings) config() extract.OCR {
	o := extract.OCR{Languages: s.languages}
	switch s.program {
	case ocrOff:
		o.Off = true
	case ocrAuto, "":
	default:
		o.Path = s.program
	}
	return o
}
