package org.terrace.seven.ejbay;

import java.util.Map;
import java.util.TreeMap;
import org.terrace.core.TimeSource;
import org.terrace.invocation.BusinessException;
import org.terrace.seven.application.NumberReply;
import org.terrace.seven.application.Sql;
import org.terrace.seven.application.TextReply;

/**
 * The rules of eJBay. A call locks one auction or one category at most, and then changes the
 * members' money in the order of their names, so that calls cannot wait for each other in a circle.
 */
final class EjbayRules implements Ejbay {
  static final long FIRST_CENTS = 5_000_000;

  /** An auction's number is its category's times this, and its own number there. */
  private static final long AUCTIONS_OF_A_CATEGORY = 10_000_000;

  private static final int LONGEST_NAME = 24;
  private static final int LONGEST_TITLE = 40;
  private static final int LONGEST_DESCRIPTION = 4_000;
  private static final int HIGHEST_CENTS = 100_000_000;
  private static final int LONGEST_MINUTES = 30 * 24 * 60;
  private static final int LISTED = 3;
  private static final long NANOS_OF_A_MILLI = 1_000_000;
  private static final long MILLIS_OF_A_MINUTE = 60_000;

  private final TimeSource time;

  EjbayRules(TimeSource time) {
    this.time = time;
  }

  private record Found(
      long number,
      String title,
      String seller,
      AuctionState state,
      int cents,
      int bids,
      String leader,
      long endMillis) {
    Auction reply(int replyBytes) {
      return Auction.of(number, title, seller, state, cents, bids, leader, replyBytes);
    }
  }

  @Override
  public NumberReply register(String member, int replyBytes) {
    if (member.isBlank() || member.length() > LONGEST_NAME) {
      throw new BusinessException(
          "bad-name", "A member has a name of 1 to " + LONGEST_NAME + " letters.");
    }
    Sql sql = Sql.ofThisCall();
    if (sql.first(row -> 1, "SELECT 1 FROM member WHERE name = ?", member).isPresent()) {
      throw new BusinessException("name-taken", "There is a member " + member + ".");
    }
    sql.update(
        "INSERT INTO member (name, cents, granted_cents) VALUES (?, ?, ?)",
        member,
        FIRST_CENTS,
        FIRST_CENTS);
    return NumberReply.of(FIRST_CENTS, replyBytes);
  }

  @Override
  public NumberReply post(
      String seller,
      String category,
      String title,
      String description,
      int firstCents,
      int minutes,
      int replyBytes) {
    if (title.isBlank()
        || title.length() > LONGEST_TITLE
        || description.length() > LONGEST_DESCRIPTION
        || firstCents < 1
        || firstCents > HIGHEST_CENTS
        || minutes < 1
        || minutes > LONGEST_MINUTES) {
      throw new BusinessException("bad-offer", "Title, description, price or time out of bounds.");
    }
    Sql sql = Sql.ofThisCall();
    cents(sql, seller);
    long[] place =
        sql.found(
            row -> new long[] {row.getLong(1), row.getLong(2) + 1},
            "unknown-category",
            "There is no category " + category + ".",
            "SELECT id, last_auction FROM category WHERE name = ? FOR UPDATE",
            category);
    long number = place[0] * AUCTIONS_OF_A_CATEGORY + place[1];
    sql.update("UPDATE category SET last_auction = ? WHERE id = ?", place[1], place[0]);
    sql.update(
        "INSERT INTO auction (id, category, seller, title, description, state, first_cents,"
            + " best_cents, bids, leader, end_millis) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, '', ?)",
        number,
        place[0],
        seller,
        title,
        description,
        AuctionState.OPEN.name(),
        firstCents,
        firstCents,
        nowMillis() + minutes * MILLIS_OF_A_MINUTE);
    return NumberReply.of(number, replyBytes);
  }

  @Override
  public Auction bid(String member, long number, int cents, int replyBytes) {
    Sql sql = Sql.ofThisCall();
    Found auction = auction(sql, number, " FOR UPDATE");
    cents(sql, member);
    if (auction.state != AuctionState.OPEN || nowMillis() >= auction.endMillis) {
      throw new BusinessException("auction-over", "Auction " + number + " is over.");
    }
    if (auction.seller.equals(member)) {
      throw new BusinessException("own-auction", "Auction " + number + " is your own.");
    }
    int least = auction.bids == 0 ? auction.cents : leastAfter(auction.cents);
    if (cents < least || cents > HIGHEST_CENTS) {
      throw new BusinessException("bid-too-low", "A bid is now at least " + least + " cents.");
    }
    sql.update(
        "INSERT INTO bid (auction, number, bidder, cents) VALUES (?, ?, ?, ?)",
        number,
        auction.bids + 1,
        member,
        cents);
    sql.update(
        "UPDATE auction SET best_cents = ?, bids = bids + 1, leader = ? WHERE id = ?",
        cents,
        member,
        number);
    Map<String, Long> changes = new TreeMap<>();
    changes.merge(member, -(long) cents, Long::sum);
    if (auction.bids > 0) {
      changes.merge(auction.leader, (long) auction.cents, Long::sum);
    }
    changeCash(sql, changes);
    return new Found(
            number,
            auction.title,
            auction.seller,
            AuctionState.OPEN,
            cents,
            auction.bids + 1,
            member,
            auction.endMillis)
        .reply(replyBytes);
  }

  @Override
  public Auction close(String member, long number, int replyBytes) {
    Sql sql = Sql.ofThisCall();
    Found auction = auction(sql, number, " FOR UPDATE");
    if (auction.state != AuctionState.OPEN) {
      throw new BusinessException("auction-over", "Auction " + number + " is closed.");
    }
    if (!auction.seller.equals(member) && nowMillis() < auction.endMillis) {
      throw new BusinessException("not-yet", "Only its seller ends auction " + number + " early.");
    }
    AuctionState end = auction.bids > 0 ? AuctionState.SOLD : AuctionState.UNSOLD;
    sql.update("UPDATE auction SET state = ? WHERE id = ?", end.name(), number);
    if (end == AuctionState.SOLD) {
      changeCash(sql, Map.of(auction.seller, (long) auction.cents));
    }
    return new Found(
            number,
            auction.title,
            auction.seller,
            end,
            auction.cents,
            auction.bids,
            auction.leader,
            auction.endMillis)
        .reply(replyBytes);
  }

  @Override
  public Auction look(long number, int replyBytes) {
    return auction(Sql.ofThisCall(), number, "").reply(replyBytes);
  }

  @Override
  public Listing list(String category, int replyBytes) {
    return Listing.of(
        Sql.ofThisCall()
            .all(
                row -> new ListingLine(row.getLong(1), row.getString(2), row.getInt(3)),
                "SELECT a.id, a.title, a.best_cents FROM auction a JOIN category c"
                    + " ON c.id = a.category WHERE c.name = ? AND a.state = 'OPEN'"
                    + " AND a.end_millis > ? ORDER BY a.id DESC LIMIT "
                    + LISTED,
                category,
                nowMillis()),
        replyBytes);
  }

  @Override
  public TextReply describe(long number, int replyBytes) {
    return TextReply.of(
        Sql.ofThisCall()
            .found(
                row -> row.getString(1),
                "unknown-auction",
                "There is no auction " + number + ".",
                "SELECT description FROM auction WHERE id = ?",
                number),
        replyBytes);
  }

  @Override
  public NumberReply cash(String member, int replyBytes) {
    return NumberReply.of(cents(Sql.ofThisCall(), member), replyBytes);
  }

  /** The least bid after one of so many cents: a twentieth more, and at least one cent. */
  static int leastAfter(int cents) {
    return cents + Math.max(1, cents / 20);
  }

  private long nowMillis() {
    return time.epochNanos() / NANOS_OF_A_MILLI;
  }

  private static long cents(Sql sql, String member) {
    return sql.found(
        row -> row.getLong(1),
        "unknown-member",
        "There is no member " + member + ".",
        "SELECT cents FROM member WHERE name = ?",
        member);
  }

  private static Found auction(Sql sql, long number, String lock) {
    return sql.found(
        row ->
            new Found(
                number,
                row.getString(1),
                row.getString(2),
                AuctionState.valueOf(row.getString(3)),
                row.getInt(4),
                row.getInt(5),
                row.getString(6),
                row.getLong(7)),
        "unknown-auction",
        "There is no auction " + number + ".",
        "SELECT title, seller, state, best_cents, bids, leader, end_millis FROM auction"
            + " WHERE id = ?"
            + lock,
        number);
  }

  private static void changeCash(Sql sql, Map<String, Long> cents) {
    for (Map.Entry<String, Long> each : cents.entrySet()) {
      int changed =
          sql.update(
              "UPDATE member SET cents = cents + ? WHERE name = ? AND cents + ? >= 0",
              each.getValue(),
              each.getKey(),
              each.getValue());
      if (changed == 0) {
        throw new BusinessException("not-enough-cash", each.getKey() + " has too little money.");
      }
    }
  }
}
