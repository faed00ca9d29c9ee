package org.terrace.seven.suduelku;

import java.util.random.RandomGenerator;
import org.terrace.invocation.BusinessException;
import org.terrace.seven.application.Randoms;
import org.terrace.seven.application.Step;
import org.terrace.seven.application.Workload;

/**
 * A player: joins an open board or makes one, then looks and moves, two digits in three right,
 * until somebody has filled the last cell. Now and then the open boards are listed.
 */
final class SuDuelKuWorkload implements Workload<SuDuelKu> {
  private static final int LISTS_PERCENT = 10;
  private static final int LOOKS_PERCENT = 20;
  private static final int LOST_PERCENT = 33;

  private final RandomGenerator random;
  private final int replyBytes;
  private final String player;
  private int board;
  private int seat;
  private boolean listed;
  private String cells = "";

  SuDuelKuWorkload(long seed, int client, int replyBytes) {
    this.random = Randoms.ofClient(seed, client);
    this.replyBytes = replyBytes;
    this.player = "p%06x-%d".formatted(random.nextInt(1 << 24), client);
  }

  @Override
  public Step<SuDuelKu, ?> next() {
    if (board == 0) {
      if (!listed) {
        return list();
      }
      return Step.of(
          "create",
          duel -> duel.create(replyBytes),
          number -> {
            board = (int) number.value();
            seat = 0;
          });
    }
    int current = board;
    if (seat == 0) {
      return new Step<>(
          "join",
          duel -> duel.join(current, player, replyBytes),
          number -> {
            seat = (int) number.value();
            cells = "";
          },
          this::giveUp);
    }
    int dice = random.nextInt(100);
    if (cells.isEmpty() || dice < LOOKS_PERCENT) {
      return Step.of("look", duel -> duel.look(current, replyBytes), this::see);
    } else if (dice < LOOKS_PERCENT + LISTS_PERCENT) {
      return Step.of("list", duel -> duel.list(replyBytes));
    }
    return move();
  }

  private Step<SuDuelKu, ?> list() {
    return Step.of(
        "list",
        duel -> duel.list(replyBytes),
        boards -> {
          listed = true;
          boards.boards().stream()
              .filter(open -> open.players() < SuDuelKuRules.PLAYERS_MAX)
              .findFirst()
              .ifPresent(open -> board = open.number());
        });
  }

  private Step<SuDuelKu, ?> move() {
    int current = board;
    int mySeat = seat;
    int cell = anyEmptyCell();
    int digit = random.nextInt(100) < LOST_PERCENT ? 1 + random.nextInt(9) : fitting(cell);
    return new Step<>(
        "move",
        duel -> duel.move(current, mySeat, cell, digit, replyBytes),
        this::see,
        this::giveUp);
  }

  private void see(Board seen) {
    cells = seen.cells();
    if (seen.winner() != 0) {
      leave();
    }
  }

  private void giveUp(BusinessException refusal) {
    if (refusal.code().equals("cell-filled")) {
      cells = "";
    } else {
      leave();
    }
  }

  private void leave() {
    board = 0;
    seat = 0;
    listed = false;
  }

  private int anyEmptyCell() {
    int cell = random.nextInt(Sudoku.CELLS);
    while (cells.charAt(cell) != '0') {
      cell = (cell + 1) % Sudoku.CELLS;
    }
    return cell;
  }

  /** The first digit with which the board can still be solved. */
  private int fitting(int cell) {
    for (int digit = 1; digit < 9; digit++) {
      String tried = cells.substring(0, cell) + digit + cells.substring(cell + 1);
      if (Sudoku.countSolutions(tried, 1) == 1) {
        return digit;
      }
    }
    return 9;
  }
}
