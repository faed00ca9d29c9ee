package org.terrace.seven.mafia;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.core.TimeSource;
import org.terrace.invocation.BusinessException;
import org.terrace.seven.ApplicationTest;
import org.terrace.seven.SevenDatabase;
import org.terrace.seven.application.Sql;

@Tag("real-processes")
@Tag("untimed")
class MafiaTest extends ApplicationTest<Mafia> {
  private static final String[] NAMES = {"Ada", "Ben", "Cy", "Dan", "Eve", "Fay", "Gus"};

  private final List<String> mafiosi = new ArrayList<>();
  private final List<String> citizens = new ArrayList<>();
  private long game;

  MafiaTest(SevenDatabase database) {
    super(new MafiaApplication(), database);
  }

  @BeforeEach
  void begin() {
    game = service.open(0).value();
    for (int i = 0; i < NAMES.length; i++) {
      assertThat(service.join(game, NAMES[i], 0).value()).isEqualTo(NAMES.length - 1 - i);
    }
    for (String name : NAMES) {
      boolean mafioso = service.role(game, name, 0).text().equals(Role.MAFIOSO.name());
      (mafioso ? mafiosi : citizens).add(name);
    }
    assertThat(mafiosi).hasSize(2);
  }

  @Test
  void theTownWinsWhenItHangsBothMafiosi() {
    kill(citizens.get(0));
    hang(mafiosi.get(0));
    assertThat(service.look(game, 0).living()).hasSize(5).doesNotContain(citizens.get(0));
    assertThat(service.look(game, 0).round()).isEqualTo(2);
    kill(citizens.get(1));
    hang(mafiosi.get(1));

    assertThat(service.look(game, 0).phase()).isEqualTo(Phase.OVER);
    assertThat(winner()).isEqualTo("CITIZEN");
    assertRefused("not-now", () -> service.vote(game, citizens.get(2), citizens.get(3), 0));
    assertThat(broken()).isEmpty();
  }

  @Test
  void theMafiaWinWhenTheyAreAsManyAsTheCitizens() {
    kill(citizens.get(0));
    hang(citizens.get(1));
    kill(citizens.get(2));

    assertThat(winner()).isEqualTo("MAFIOSO");
    assertThat(broken()).isEmpty();
  }

  @Test
  void inATieNobodyDies() {
    service.vote(game, mafiosi.get(0), citizens.get(0), 0);
    assertThat(service.vote(game, mafiosi.get(1), citizens.get(1), 0).value()).isZero();

    assertThat(service.look(game, 0).phase()).isEqualTo(Phase.DAY);
    assertThat(service.look(game, 0).living()).hasSize(7);
    assertThat(broken()).isEmpty();
  }

  @Test
  void whatTheRulesForbidIsRefused() {
    assertRefused("unknown-game", () -> service.look(99, 0));
    assertRefused("game-begun", () -> service.join(game, "Hal", 0));
    assertRefused("not-now", () -> service.vote(game, citizens.get(0), "Ada", 0));
    service.vote(game, mafiosi.get(0), citizens.get(0), 0);
    assertRefused("voted-already", () -> service.vote(game, mafiosi.get(0), "Ada", 0));
    service.vote(game, mafiosi.get(1), citizens.get(0), 0);
    assertRefused("you-are-dead", () -> service.say(game, citizens.get(0), "Boo", 0));
    assertRefused("you-are-dead", () -> service.vote(game, citizens.get(0), "Ada", 0));
    assertRefused("target-is-dead", () -> service.vote(game, citizens.get(1), citizens.get(0), 0));
    assertRefused("unknown-message", () -> service.message(game, 1, 0));
    long other = service.open(0).value();
    service.join(other, "Ada", 0);
    assertRefused("name-taken", () -> service.join(other, "Ada", 0));
  }

  @Test
  void votesAndMessagesOfOneGameAtOnceAreAllCounted() throws Exception {
    try (ExecutorService players = Executors.newFixedThreadPool(NAMES.length)) {
      List<Future<?>> playing = new ArrayList<>();
      for (int i = 0; i < NAMES.length; i++) {
        String name = NAMES[i];
        Mafia mine = client(10 + i, TimeSource.system());
        playing.add(
            players.submit(() -> {
              while (mine.look(game, 0).phase() != Phase.OVER) {
                playOnce(mine, name);
              }
            }));
      }
      for (Future<?> each : playing) {
        each.get();
      }
    }

    assertThat(broken()).isEmpty();
    assertThat(winner()).isNotEmpty();
  }

  @Test
  void eachBrokenInvariantIsSeen() throws Exception {
    Sql sql = new Sql(connection);
    String dead = citizens.get(0);
    service.say(game, dead, "Hello", 0);
    kill(dead);

    assertSeen("games-counted", "UPDATE game_counter SET last_game = 2");
    sql.update("UPDATE game_counter SET last_game = 1");
    assertSeen("messages-without-gaps", "UPDATE game SET last_message = 2");
    sql.update("UPDATE game SET last_message = 1");
    assertSeen("names-unique", "UPDATE person SET name = ? WHERE name = ?", citizens.get(1), dead);
    sql.update("UPDATE person SET name = ? WHERE alive = 0", dead);
    assertSeen("deaths-by-vote", "UPDATE vote SET target = ?", citizens.get(1));
    sql.update("UPDATE vote SET target = ?", dead);
    assertSeen("winner-by-the-rules", "UPDATE game SET winner = 'MAFIOSO'");
    sql.update("UPDATE game SET winner = ''");
    assertSeen("roles-dealt", "UPDATE person SET role = 'MAFIOSO' WHERE name = ?", dead);
    sql.update("UPDATE person SET role = 'CITIZEN' WHERE name = ?", dead);
    assertSeen(
        "only-mafiosi-vote-at-night",
        "UPDATE vote SET voter = ? WHERE voter = ?",
        citizens.get(2),
        mafiosi.get(0));
    sql.update("UPDATE vote SET voter = ? WHERE voter = ?", mafiosi.get(0), citizens.get(2));
    assertSeen(
        "the-dead-are-silent",
        "INSERT INTO vote (game, round, phase, voter, target) VALUES (?, 1, 'DAY', ?, ?)",
        game,
        dead,
        mafiosi.get(0));
  }

  /** One vote if it is time for it; what another player's vote has ended meanwhile is refused. */
  private void playOnce(Mafia mine, String name) {
    try {
      mine.say(game, name, "Not me.", 0);
      List<String> living = mine.look(game, 0).living();
      mine.vote(game, name, living.get(name.length() % living.size()), 0);
    } catch (BusinessException refusal) {
      assertThat(refusal.code()).isIn("you-are-dead", "not-now", "voted-already", "target-is-dead");
    }
  }

  private void kill(String victim) {
    mafiosi.stream()
        .filter(service.look(game, 0).living()::contains)
        .toList()
        .forEach(voter -> service.vote(game, voter, victim, 0));
  }

  private void hang(String victim) {
    service.look(game, 0).living().forEach(voter -> service.vote(game, voter, victim, 0));
  }

  private String winner() {
    return new Sql(connection)
        .first(row -> row.getString(1), "SELECT winner FROM game WHERE id = ?", game)
        .orElseThrow();
  }
}
