package org.terrace.seven.mafia;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.terrace.invocation.BusinessException;
import org.terrace.invocation.Invocation;
import org.terrace.seven.application.NumberReply;
import org.terrace.seven.application.Randoms;
import org.terrace.seven.application.Sql;
import org.terrace.seven.application.TextReply;

/**
 * The rules of Mafia. Whatever changes a game locks it first, and a call locks one game at most, so
 * that calls cannot wait for each other in a circle.
 */
final class MafiaRules implements Mafia {
  static final int CHARACTERS = 7;
  static final int MAFIOSI = 2;

  private static final int LONGEST_NAME = 16;
  private static final int LONGEST_MESSAGE = 200;

  private record Game(long id, Phase phase, int round, long lastMessage) {}

  @Override
  public NumberReply open(int replyBytes) {
    Sql sql = Sql.ofThisCall();
    long id = 1 + sql.number("SELECT last_game FROM game_counter WHERE id = 1 FOR UPDATE");
    sql.update("UPDATE game_counter SET last_game = ? WHERE id = 1", id);
    sql.update(
        "INSERT INTO game (id, phase, round, last_message, winner) VALUES (?, ?, 0, 0, '')",
        id,
        Phase.LOBBY.name());
    return NumberReply.of(id, replyBytes);
  }

  @Override
  public NumberReply join(long id, String character, int replyBytes) {
    if (character.isBlank() || character.length() > LONGEST_NAME) {
      throw new BusinessException(
          "bad-name", "A character has a name of 1 to " + LONGEST_NAME + " letters.");
    }
    Sql sql = Sql.ofThisCall();
    Game game = game(sql, id, " FOR UPDATE");
    if (game.phase != Phase.LOBBY) {
      throw new BusinessException("game-begun", "Game " + id + " has begun.");
    }
    List<Person> people = people(sql, id);
    if (people.stream().anyMatch(each -> each.name().equals(character))) {
      throw new BusinessException("name-taken", "Game " + id + " has a " + character + ".");
    }
    int seat = people.size() + 1;
    sql.update(
        "INSERT INTO person (game, seat, name, role, alive, died_round, died_phase)"
            + " VALUES (?, ?, ?, ?, 1, 0, '')",
        id,
        seat,
        character,
        Role.UNKNOWN.name());
    if (seat == CHARACTERS) {
      dealRoles(sql, id);
    }
    return NumberReply.of(CHARACTERS - seat, replyBytes);
  }

  @Override
  public TextReply role(long id, String character, int replyBytes) {
    Sql sql = Sql.ofThisCall();
    game(sql, id, "");
    return TextReply.of(person(people(sql, id), character).role().name(), replyBytes);
  }

  @Override
  public NumberReply vote(long id, String character, String target, int replyBytes) {
    Sql sql = Sql.ofThisCall();
    Game game = game(sql, id, " FOR UPDATE");
    List<Person> people = people(sql, id);
    Person voter = person(people, character);
    if (!voter.alive()) {
      throw new BusinessException("you-are-dead", character + " is dead.");
    }
    boolean night = game.phase == Phase.NIGHT;
    if (game.phase == Phase.LOBBY || game.phase == Phase.OVER || (night && !voter.isMafioso())) {
      throw new BusinessException("not-now", character + " has no vote now.");
    }
    if (!person(people, target).alive()) {
      throw new BusinessException("target-is-dead", target + " is dead.");
    }
    Map<String, String> votes = votes(sql, game);
    if (votes.containsKey(character)) {
      throw new BusinessException("voted-already", character + " has voted.");
    }
    sql.update(
        "INSERT INTO vote (game, round, phase, voter, target) VALUES (?, ?, ?, ?, ?)",
        id,
        game.round,
        game.phase.name(),
        character,
        target);
    votes.put(character, target);
    long voters =
        people.stream().filter(each -> each.alive() && (!night || each.isMafioso())).count();
    if (votes.size() == voters) {
      endPhase(sql, game, people, Votes.loser(votes.values()));
    }
    return NumberReply.of(voters - votes.size(), replyBytes);
  }

  @Override
  public NumberReply say(long id, String character, String text, int replyBytes) {
    if (text.isEmpty() || text.length() > LONGEST_MESSAGE) {
      throw new BusinessException(
          "bad-message", "A message has 1 to " + LONGEST_MESSAGE + " letters.");
    }
    Sql sql = Sql.ofThisCall();
    Game game = game(sql, id, " FOR UPDATE");
    if (!person(people(sql, id), character).alive()) {
      throw new BusinessException("you-are-dead", character + " is dead.");
    }
    long number = game.lastMessage + 1;
    sql.update(
        "INSERT INTO message (game, number, sender, body) VALUES (?, ?, ?, ?)",
        id,
        number,
        character,
        text);
    sql.update("UPDATE game SET last_message = ? WHERE id = ?", number, id);
    return NumberReply.of(number, replyBytes);
  }

  @Override
  public TextReply message(long id, long number, int replyBytes) {
    String text =
        Sql.ofThisCall()
            .found(
                row -> row.getString(1) + ": " + row.getString(2),
                "unknown-message",
                "Game " + id + " has no message " + number + ".",
                "SELECT sender, body FROM message WHERE game = ? AND number = ?",
                id,
                number);
    return TextReply.of(text, replyBytes);
  }

  @Override
  public Town look(long id, int replyBytes) {
    Sql sql = Sql.ofThisCall();
    Game game = game(sql, id, "");
    List<String> living = people(sql, id).stream().filter(Person::alive).map(Person::name).toList();
    return Town.of(game.phase, game.round, living, replyBytes);
  }

  private static void dealRoles(Sql sql, long id) {
    RandomGenerator random = Randoms.ofCall(Invocation.current().identity());
    int first = 1 + random.nextInt(CHARACTERS);
    // One of the others: counted on from the first, from zero.
    int second = 1 + (first + random.nextInt(CHARACTERS - 1)) % CHARACTERS;
    sql.update("UPDATE person SET role = ? WHERE game = ?", Role.CITIZEN.name(), id);
    sql.update(
        "UPDATE person SET role = ? WHERE game = ? AND seat IN (?, ?)",
        Role.MAFIOSO.name(),
        id,
        first,
        second);
    sql.update("UPDATE game SET phase = ?, round = 1 WHERE id = ?", Phase.NIGHT.name(), id);
  }

  private static void endPhase(Sql sql, Game game, List<Person> people, Optional<String> victim) {
    victim.ifPresent(name ->
        sql.update(
            "UPDATE person SET alive = 0, died_round = ?, died_phase = ?"
                + " WHERE game = ? AND name = ?",
            game.round,
            game.phase.name(),
            game.id,
            name));
    List<Person> living =
        people.stream()
            .filter(each -> each.alive() && !victim.equals(Optional.of(each.name())))
            .toList();
    Optional<Role> winner = winner(living);
    Phase next = game.phase == Phase.NIGHT ? Phase.DAY : Phase.NIGHT;
    sql.update(
        "UPDATE game SET phase = ?, round = ?, winner = ? WHERE id = ?",
        winner.isPresent() ? Phase.OVER.name() : next.name(),
        game.round + (next == Phase.NIGHT && winner.isEmpty() ? 1 : 0),
        winner.map(Role::name).orElse(""),
        game.id);
  }

  /** The side that has won, once these are the living. */
  static Optional<Role> winner(List<Person> living) {
    long mafiosi = living.stream().filter(Person::isMafioso).count();
    if (mafiosi == 0) {
      return Optional.of(Role.CITIZEN);
    }
    return 2 * mafiosi >= living.size() ? Optional.of(Role.MAFIOSO) : Optional.empty();
  }

  private static Game game(Sql sql, long id, String lock) {
    return sql.found(
        row -> new Game(id, Phase.valueOf(row.getString(1)), row.getInt(2), row.getLong(3)),
        "unknown-game",
        "There is no game " + id + ".",
        "SELECT phase, round, last_message FROM game WHERE id = ?" + lock,
        id);
  }

  static List<Person> people(Sql sql, long game) {
    return sql.all(
        row -> new Person(row.getString(1), Role.valueOf(row.getString(2)), row.getInt(3) == 1),
        "SELECT name, role, alive FROM person WHERE game = ? ORDER BY seat",
        game);
  }

  private static Person person(List<Person> people, String name) {
    return people.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new BusinessException("unknown-character", "There is no " + name + " here."));
  }

  private static Map<String, String> votes(Sql sql, Game game) {
    Map<String, String> votes = new TreeMap<>();
    sql.all(
        row -> votes.put(row.getString(1), row.getString(2)) == null,
        "SELECT voter, target FROM vote WHERE game = ? AND round = ? AND phase = ?",
        game.id,
        game.round,
        game.phase.name());
    return votes;
  }
}
