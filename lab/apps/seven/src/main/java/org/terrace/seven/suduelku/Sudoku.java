package org.terrace.seven.suduelku;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A sudoku of nine by nine, solved by trying the digits of the cell that has fewest left; the
 * digits used in each row, column and block are bits of a number. Grids are texts of 81 digits by
 * rows, 0 for an empty cell. Confined to one thread.
 *
 * <p>A generated puzzle of about 36 givens takes well under a millisecond once compiled.
 */
final class Sudoku {
  static final int CELLS = 81;

  private static final int SIDE = 9;
  private static final int BLOCK = 3;
  private static final int ALL_DIGITS = (1 << SIDE) - 1;

  private final int[] cells = new int[CELLS];
  private final int[] rows = new int[SIDE];
  private final int[] columns = new int[SIDE];
  private final int[] blocks = new int[SIDE];
  private final @Nullable RandomGenerator random;

  private Sudoku(@Nullable RandomGenerator random) {
    this.random = random;
  }

  /**
   * A puzzle with exactly one solution.
   *
   * @param puzzle the givens
   * @param solution all digits
   */
  record Puzzle(String puzzle, String solution) {}

  /**
   * Makes a puzzle: a random solved grid, from which digits are taken while one solution is left.
   */
  static Puzzle generate(RandomGenerator random, int holesMax) {
    Sudoku full = new Sudoku(random);
    full.count(1);
    String solution = full.text();
    StringBuilder puzzle = new StringBuilder(solution);
    int holes = 0;
    for (int cell : shuffledCells(random)) {
      if (holes == holesMax) {
        break;
      }
      puzzle.setCharAt(cell, '0');
      if (countSolutions(puzzle.toString(), 2) == 1) {
        holes++;
      } else {
        puzzle.setCharAt(cell, solution.charAt(cell));
      }
    }
    return new Puzzle(puzzle.toString(), solution);
  }

  /**
   * The number of solutions of a grid, counted up to a limit; 0 for a grid that breaks the rules.
   */
  static int countSolutions(String grid, int limit) {
    Sudoku sudoku = new Sudoku(null);
    for (int cell = 0; cell < CELLS; cell++) {
      int digit = grid.charAt(cell) - '0';
      if (digit != 0) {
        if ((sudoku.possible(cell) & bit(digit)) == 0) {
          return 0;
        }
        sudoku.put(cell, digit);
      }
    }
    return sudoku.count(limit);
  }

  /** Searches depth first; where the search stops at the limit, the grid is left solved. */
  private int count(int limit) {
    int cell = mostConstrained();
    if (cell < 0) {
      return 1;
    }
    int found = 0;
    int left = possible(cell);
    while (left != 0) {
      int digit = choose(left);
      left &= ~bit(digit);
      put(cell, digit);
      found += count(limit - found);
      if (found >= limit) {
        return found;
      }
      take(cell);
    }
    return found;
  }

  private int choose(int digits) {
    int skip = random == null ? 0 : random.nextInt(Integer.bitCount(digits));
    int left = digits;
    for (int i = 0; i < skip; i++) {
      left &= left - 1;
    }
    return 1 + Integer.numberOfTrailingZeros(left);
  }

  /** The empty cell with fewest possible digits, or -1 if none is empty. */
  private int mostConstrained() {
    int best = -1;
    int fewest = SIDE + 1;
    for (int cell = 0; cell < CELLS; cell++) {
      if (cells[cell] == 0) {
        int digits = Integer.bitCount(possible(cell));
        if (digits < fewest) {
          best = cell;
          fewest = digits;
        }
      }
    }
    return best;
  }

  private int possible(int cell) {
    int row = cell / SIDE;
    int column = cell % SIDE;
    return ALL_DIGITS & ~(rows[row] | columns[column] | blocks[block(row, column)]);
  }

  private void put(int cell, int digit) {
    cells[cell] = digit;
    toggle(cell, bit(digit));
  }

  private void take(int cell) {
    toggle(cell, bit(cells[cell]));
    cells[cell] = 0;
  }

  private void toggle(int cell, int bit) {
    int row = cell / SIDE;
    int column = cell % SIDE;
    rows[row] ^= bit;
    columns[column] ^= bit;
    blocks[block(row, column)] ^= bit;
  }

  private static int block(int row, int column) {
    return row / BLOCK * BLOCK + column / BLOCK;
  }

  private static int bit(int digit) {
    return 1 << (digit - 1);
  }

  private String text() {
    StringBuilder text = new StringBuilder(CELLS);
    for (int digit : cells) {
      text.append(digit);
    }
    return text.toString();
  }

  private static int[] shuffledCells(RandomGenerator random) {
    int[] order = new int[CELLS];
    for (int i = 0; i < CELLS; i++) {
      int other = random.nextInt(i + 1);
      order[i] = order[other];
      order[other] = i;
    }
    return order;
  }
}
