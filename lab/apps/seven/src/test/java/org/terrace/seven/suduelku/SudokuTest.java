package org.terrace.seven.suduelku;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;

class SudokuTest {
  @Test
  void everyPuzzleHasExactlyTheSolutionItIsMadeWith() {
    RandomGenerator random = Seeds.generator(Seeds.next("sudoku"));
    for (int i = 0; i < 20; i++) {
      Sudoku.Puzzle puzzle = Sudoku.generate(random, 45);

      assertThat(Sudoku.countSolutions(puzzle.puzzle(), 2)).isEqualTo(1);
      assertThat(Sudoku.countSolutions(puzzle.solution(), 2)).isEqualTo(1);
      assertThat(puzzle.puzzle().chars().filter(cell -> cell == '0').count()).isBetween(35L, 45L);
      for (int cell = 0; cell < Sudoku.CELLS; cell++) {
        assertThat(puzzle.puzzle().charAt(cell)).isIn('0', puzzle.solution().charAt(cell));
      }
    }
  }

  @Test
  void anEmptyGridHasManySolutionsAndABrokenOneNone() {
    assertThat(Sudoku.countSolutions("0".repeat(81), 5)).isEqualTo(5);
    assertThat(Sudoku.countSolutions("11" + "0".repeat(79), 2)).isZero();
  }
}
