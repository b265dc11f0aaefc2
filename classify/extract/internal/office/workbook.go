package office

import (
	"bytes"
	"errors"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify/extract/internal/flow"
)

// workbookBlocks reads the sheets that are shown, each as a page: its values as they are
// shown, without hidden rows and columns.
func workbookBlocks(file []byte) ([]flow.Block, error) {
	f, err := excelize.OpenReader(bytes.NewReader(file), excelize.Options{
		UnzipSizeLimit: mostUnpacked, UnzipXMLSizeLimit: mostUnpacked, // beyond it files would be written
	})
	switch {
	case errors.Is(err, excelize.ErrWorkbookPassword), errors.Is(err, excelize.ErrWorkbookFileFormat):
		return nil, &tracking.FileError{Code: tracking.FileEncrypted, Detail: "The workbook is encrypted, and cannot be read without its password."}
	case err != nil:
		return nil, damaged(err)
	}
	defer f.Close()
	blocks := []flow.Block{}
	for _, name := range f.GetSheetList() {
		if shown, err := f.GetSheetVisible(name); err == nil && !shown {
			continue
		}
		table, err := sheet(f, name)
		if err != nil {
			return nil, damaged(err)
		}
		blocks = append(blocks, flow.Break{}, table)
	}
	return blocks, nil
}

// mostCells bounds the cells of a sheet, with the blank ones before others.
const mostCells = 500_000

func sheet(f *excelize.File, name string) (flow.Table, error) {
	merged, err := f.GetMergeCells(name)
	if err != nil {
		return nil, err
	}
	spans := map[[2]int][2]int{} // from the column and row of the first cell
	for _, m := range merged {
		c0, r0, err0 := excelize.CellNameToCoordinates(m.GetStartAxis())
		c1, r1, err1 := excelize.CellNameToCoordinates(m.GetEndAxis())
		if err0 == nil && err1 == nil {
			spans[[2]int{c0, r0}] = [2]int{c1 - c0 + 1, r1 - r0 + 1}
		}
	}
	rows, err := f.Rows(name)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	hidden := map[int]bool{}
	var table flow.Table
	cells := 0
	covered := map[[2]int]bool{} // cells that a merged one takes
	for r := 1; rows.Next(); r++ {
		values, err := rows.Columns()
		if err != nil {
			return nil, err
		}
		if rows.GetRowOpts().Hidden {
			continue
		}
		if cells += len(values) + 1; cells > mostCells {
			return nil, &tracking.FileError{Code: tracking.FileTooLarge, Detail: "A sheet of the workbook has more cells than are read."}
		}
		table = append(table, row(f, name, r, values, spans, covered, hidden))
	}
	return table, rows.Error()
}

// row makes the cells of a row. A text takes the blank cells behind it, over which it is
// displayed.
func row(f *excelize.File, name string, r int, values []string, spans map[[2]int][2]int, covered map[[2]int]bool, hidden map[int]bool) (cells []flow.Cell) {
	for c := 1; c <= len(values); c++ {
		isHidden, known := hidden[c]
		if !known {
			column, _ := excelize.ColumnNumberToName(c)
			shown, err := f.GetColVisible(name, column)
			isHidden = err == nil && !shown
			hidden[c] = isHidden
		}
		if isHidden || covered[[2]int{c, r}] {
			continue
		}
		cell := flow.Cell{Columns: 1, Rows: 1}
		if value := strings.TrimSpace(values[c-1]); value != "" {
			cell.Blocks = []flow.Block{flow.Paragraph{Text: strings.ReplaceAll(value, "\r", "")}}
		}
		if span, ok := spans[[2]int{c, r}]; ok {
			const most = 200
			cell.Columns, cell.Rows = min(span[0], most), min(span[1], most)
			for y := range cell.Rows {
				for x := range cell.Columns {
					covered[[2]int{c + x, r + y}] = true
				}
			}
		} else if cell.Blocks != nil {
			for c+cell.Columns <= len(values) && values[c+cell.Columns-1] == "" && !covered[[2]int{c + cell.Columns, r}] && !hidden[c+cell.Columns] {
				if _, ok := spans[[2]int{c + cell.Columns, r}]; ok {
					break
				}
				cell.Columns++
			}
			c += cell.Columns - 1
		}
		cells = append(cells, cell)
	}
	return cells
}
