package org.terrace.seven.mafia;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.terrace.control.Style;
import org.terrace.core.TimeSource;
import org.terrace.seven.application.Application;
import org.terrace.seven.application.Invariant;
import org.terrace.seven.application.Sql;
import org.terrace.seven.application.Workload;

/** Mafia: any number of games side by side. */
public final class MafiaApplication implements Application<Mafia> {

  @Override
  public String name() {
    return "mafia";
  }

  @Override
  public Published published() {
    return new Published("EJB", Style.WARM_PASSIVE, 41, 4, 100);
  }

  @Override
  public Class<Mafia> service() {
    return Mafia.class;
  }

  @Override
  public Mafia rules(TimeSource time) {
    return new MafiaRules();
  }

  @Override
  public List<String> schema() {
    return List.of(
        """
        CREATE TABLE game_counter (
          id INT PRIMARY KEY,
          last_game BIGINT NOT NULL)
        """,
        """
        CREATE TABLE game (
          id BIGINT PRIMARY KEY,
          phase VARCHAR(8) NOT NULL,
          round INT NOT NULL,
          last_message BIGINT NOT NULL,
          winner VARCHAR(8) NOT NULL)
        """,
        """
        CREATE TABLE person (
          game BIGINT NOT NULL,
          seat INT NOT NULL,
          name VARCHAR(16) NOT NULL,
          role VARCHAR(8) NOT NULL,
          alive INT NOT NULL,
          died_round INT NOT NULL,
          died_phase VARCHAR(8) NOT NULL,
          PRIMARY KEY (game, seat),
          FOREIGN KEY (game) REFERENCES game (id))
        """,
        """
        CREATE TABLE vote (
          game BIGINT NOT NULL,
          round INT NOT NULL,
          phase VARCHAR(8) NOT NULL,
          voter VARCHAR(16) NOT NULL,
          target VARCHAR(16) NOT NULL,
          PRIMARY KEY (game, round, phase, voter),
          FOREIGN KEY (game) REFERENCES game (id))
        """,
        """
        CREATE TABLE message (
          game BIGINT NOT NULL,
          number BIGINT NOT NULL,
          sender VARCHAR(16) NOT NULL,
          body VARCHAR(200) NOT NULL,
          PRIMARY KEY (game, number),
          FOREIGN KEY (game) REFERENCES game (id))
        """);
  }

  @Override
  public List<String> tables() {
    return List.of("message", "vote", "person", "game", "game_counter");
  }

  @Override
  public void seed(Sql sql) {
    sql.update("INSERT INTO game_counter (id, last_game) VALUES (1, 0)");
  }

  @Override
  public Workload<Mafia> workload(long seed, int client, int replyBytes) {
    return new MafiaWorkload(seed, client, replyBytes);
  }

  @Override
  public List<Invariant> invariants() {
    return List.of(
        Invariant.ofQuery(
            "games-counted",
            "There are as many games as were counted.",
            "SELECT concat('counted ', last_game) FROM game_counter"
                + " WHERE last_game <> (SELECT count(*) FROM game)"),
        Invariant.ofQuery(
            "roles-dealt",
            "A game that has begun has all of its characters, and the right number of mafiosi.",
            "SELECT concat('game ', id) FROM game WHERE phase <> 'LOBBY' AND ("
                + "(SELECT count(*) FROM person WHERE game = game.id) <> "
                + MafiaRules.CHARACTERS
                + " OR (SELECT count(*) FROM person WHERE game = game.id AND role = 'MAFIOSO') <> "
                + MafiaRules.MAFIOSI
                + ")"),
        Invariant.ofQuery(
            "names-unique",
            "No two characters of a game have one name.",
            "SELECT concat('game ', game, ' ', name) FROM person"
                + " GROUP BY game, name HAVING count(*) > 1"),
        Invariant.ofQuery(
            "the-dead-are-silent",
            "Nobody votes, and nobody is voted for, in a phase after their death.",
            "SELECT concat('game ', v.game, ' ', p.name) FROM vote v JOIN person p"
                + " ON p.game = v.game AND (p.name = v.voter OR p.name = v.target)"
                + " WHERE p.alive = 0 AND (v.round > p.died_round OR (v.round = p.died_round"
                + " AND v.phase = 'DAY' AND p.died_phase = 'NIGHT'))"),
        Invariant.ofQuery(
            "only-mafiosi-vote-at-night",
            "Citizens sleep at night.",
            "SELECT concat('game ', v.game, ' ', v.voter) FROM vote v JOIN person p"
                + " ON p.game = v.game AND p.name = v.voter"
                + " WHERE v.phase = 'NIGHT' AND p.role <> 'MAFIOSO'"),
        Invariant.ofQuery(
            "messages-without-gaps",
            "The messages of a game are numbered from 1 without gaps.",
            "SELECT concat('game ', id) FROM game WHERE last_message"
                + " <> (SELECT count(*) FROM message WHERE game = game.id)"),
        new Invariant(
            "deaths-by-vote",
            "Whoever died had most votes in that phase, and whoever had, died.",
            MafiaApplication::wrongDeaths),
        new Invariant(
            "winner-by-the-rules",
            "A game is over as soon as one side has won, and no sooner.",
            MafiaApplication::wrongWinners));
  }

  private record PhaseOfGame(long game, int round, Phase phase) {}

  private record Vote(PhaseOfGame phase, String target) {}

  private record Death(PhaseOfGame phase, String name) {}

  private static List<String> wrongDeaths(Sql sql) {
    Map<PhaseOfGame, List<String>> votes =
        sql
            .all(
                row ->
                    new Vote(
                        new PhaseOfGame(
                            row.getLong(1), row.getInt(2), Phase.valueOf(row.getString(3))),
                        row.getString(4)),
                "SELECT game, round, phase, target FROM vote")
            .stream()
            .collect(
                Collectors.groupingBy(
                    Vote::phase, Collectors.mapping(Vote::target, Collectors.toList())));
    // The phase that a game is in has not been counted yet.
    sql.all(
        row ->
            votes.remove(
                    new PhaseOfGame(row.getLong(1), row.getInt(2), Phase.valueOf(row.getString(3))))
                != null,
        "SELECT id, round, phase FROM game WHERE phase <> 'OVER'");
    Map<PhaseOfGame, String> deaths = new HashMap<>();
    List<String> wrong = new ArrayList<>();
    sql.all(
            row ->
                new Death(
                    new PhaseOfGame(row.getLong(1), row.getInt(2), Phase.valueOf(row.getString(3))),
                    row.getString(4)),
            "SELECT game, died_round, died_phase, name FROM person WHERE alive = 0")
        .forEach(death -> {
          if (deaths.put(death.phase, death.name) != null) {
            wrong.add(death.phase + ": two died");
          }
        });
    votes.forEach((phase, targets) -> {
      if (!Votes.loser(targets).equals(Optional.ofNullable(deaths.remove(phase)))) {
        wrong.add(phase + ": not who had most votes");
      }
    });
    deaths.forEach((phase, name) -> wrong.add(phase + ": " + name + " died without votes"));
    return wrong;
  }

  private record State(long id, boolean over, String winner) {}

  private static List<String> wrongWinners(Sql sql) {
    List<String> wrong = new ArrayList<>();
    for (State game :
        sql.all(
            row -> new State(row.getLong(1), row.getString(2).equals("OVER"), row.getString(3)),
            "SELECT id, phase, winner FROM game WHERE phase <> 'LOBBY'")) {
      List<Person> living = MafiaRules.people(sql, game.id).stream().filter(Person::alive).toList();
      String winner = MafiaRules.winner(living).map(Role::name).orElse("");
      if (!winner.equals(game.winner) || game.over == winner.isEmpty()) {
        wrong.add("game " + game.id);
      }
    }
    return wrong;
  }
}
