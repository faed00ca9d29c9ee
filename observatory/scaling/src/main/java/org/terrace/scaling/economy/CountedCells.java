package org.terrace.scaling.economy;

import java.util.ArrayList;
import java.util.List;
import org.terrace.scaling.LostCell;
import org.terrace.scaling.MeshCell;

/**
 * The cells of a mesh that are ranked by their profit, and those of which nothing is known.
 * Immutable.
 *
 * <p>A cell of which more trials failed than were done is not ranked: whatever made them fail may
 * be the configuration's own, so what was done is what it survived, and whoever ran it would see
 * the failures.
 *
 * @param cells the cells that are ranked, in the order of the mesh
 * @param lost all others
 */
public record CountedCells(List<MeshCell> cells, List<LostCell> lost) {
  /** Copies the lists. */
  public CountedCells {
    cells = List.copyOf(cells);
    lost = List.copyOf(lost);
  }

  /**
   * Parts the cells of a mesh.
   *
   * @param lost those of which no trial was done
   */
  public static CountedCells of(List<MeshCell> cells, List<LostCell> lost) {
    List<MeshCell> counted = new ArrayList<>();
    List<LostCell> all = new ArrayList<>(lost);
    for (MeshCell cell : cells) {
      if (cell.mostlyFailed()) {
        all.add(
            new LostCell(cell.configuration(), cell.users(), cell.trials().size(), cell.failed()));
      } else {
        counted.add(cell);
      }
    }
    return new CountedCells(counted, all);
  }
}
