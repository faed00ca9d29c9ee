package org.terrace.seven.ejbay;

import java.util.ArrayList;
import java.util.List;
import org.terrace.control.Style;
import org.terrace.core.TimeSource;
import org.terrace.seven.application.Application;
import org.terrace.seven.application.Invariant;
import org.terrace.seven.application.Sql;
import org.terrace.seven.application.Workload;

/** eJBay: auctions in a few categories. */
public final class EjbayApplication implements Application<Ejbay> {
  static final List<String> CATEGORIES = List.of("books", "coins", "lamps", "maps", "toys");

  @Override
  public String name() {
    return "ejbay";
  }

  @Override
  public Published published() {
    return new Published("EJB", Style.WARM_PASSIVE, 116, 98, 100);
  }

  @Override
  public Class<Ejbay> service() {
    return Ejbay.class;
  }

  @Override
  public Ejbay rules(TimeSource time) {
    return new EjbayRules(time);
  }

  @Override
  public List<String> schema() {
    return List.of(
        """
        CREATE TABLE category (
          id BIGINT PRIMARY KEY,
          name VARCHAR(16) NOT NULL UNIQUE,
          last_auction BIGINT NOT NULL)
        """,
        """
        CREATE TABLE member (
          name VARCHAR(24) PRIMARY KEY,
          cents BIGINT NOT NULL,
          granted_cents BIGINT NOT NULL)
        """,
        """
        CREATE TABLE auction (
          id BIGINT PRIMARY KEY,
          category BIGINT NOT NULL,
          seller VARCHAR(24) NOT NULL,
          title VARCHAR(40) NOT NULL,
          description TEXT NOT NULL,
          state VARCHAR(8) NOT NULL,
          first_cents INT NOT NULL,
          best_cents INT NOT NULL,
          bids INT NOT NULL,
          leader VARCHAR(24) NOT NULL,
          end_millis BIGINT NOT NULL,
          FOREIGN KEY (category) REFERENCES category (id),
          FOREIGN KEY (seller) REFERENCES member (name))
        """,
        "CREATE INDEX auction_of_category ON auction (category, state, id)",
        """
        CREATE TABLE bid (
          auction BIGINT NOT NULL,
          number INT NOT NULL,
          bidder VARCHAR(24) NOT NULL,
          cents INT NOT NULL,
          PRIMARY KEY (auction, number),
          FOREIGN KEY (auction) REFERENCES auction (id),
          FOREIGN KEY (bidder) REFERENCES member (name))
        """);
  }

  @Override
  public List<String> tables() {
    return List.of("bid", "auction", "member", "category");
  }

  @Override
  public void seed(Sql sql) {
    List<Object[]> rows = new ArrayList<>();
    for (String category : CATEGORIES) {
      rows.add(new Object[] {rows.size() + 1L, category});
    }
    sql.batch("INSERT INTO category (id, name, last_auction) VALUES (?, ?, 0)", rows);
  }

  @Override
  public Workload<Ejbay> workload(long seed, int client, int replyBytes) {
    return new EjbayWorkload(seed, client, replyBytes);
  }

  @Override
  public List<Invariant> invariants() {
    return List.of(
        Invariant.ofQuery(
            "money-conserved",
            "The cents of all members and those set aside for highest bids are all ever granted.",
            "SELECT concat('granted cents ', granted) FROM (SELECT"
                + " (SELECT coalesce(sum(granted_cents), 0) FROM member) AS granted,"
                + " (SELECT coalesce(sum(cents), 0) FROM member)"
                + " + (SELECT coalesce(sum(best_cents), 0) FROM auction"
                + " WHERE state = 'OPEN' AND bids > 0) AS there) sums WHERE granted <> there"),
        Invariant.ofQuery(
            "money-never-negative",
            "Nobody bids money they do not have.",
            "SELECT name FROM member WHERE cents < 0"),
        Invariant.ofQuery(
            "highest-bid-leads",
            "The leader of an auction made its last and highest bid.",
            "SELECT concat('auction ', a.id) FROM auction a LEFT JOIN bid b"
                + " ON b.auction = a.id AND b.number = a.bids"
                + " WHERE a.leader <> coalesce(b.bidder, '')"
                + " OR a.best_cents <> coalesce(b.cents, a.first_cents)"
                + " OR a.bids <> (SELECT count(*) FROM bid c WHERE c.auction = a.id)"),
        Invariant.ofQuery(
            "bids-rise",
            "Every bid is higher than the one before it, and none is below the first price.",
            "SELECT concat('auction ', b.auction, ' bid ', b.number) FROM bid b"
                + " JOIN auction a ON a.id = b.auction LEFT JOIN bid p"
                + " ON p.auction = b.auction AND p.number = b.number - 1"
                + " WHERE b.cents <= coalesce(p.cents, a.first_cents - 1)"),
        Invariant.ofQuery(
            "nobody-bids-on-their-own",
            "No seller bids.",
            "SELECT concat('auction ', a.id) FROM auction a JOIN bid b ON b.auction = a.id"
                + " WHERE b.bidder = a.seller"),
        Invariant.ofQuery(
            "sold-to-a-bidder",
            "What is sold has a bid, and what stayed unsold has none.",
            "SELECT concat('auction ', id) FROM auction"
                + " WHERE (state = 'SOLD' AND bids = 0) OR (state = 'UNSOLD' AND bids > 0)"),
        Invariant.ofQuery(
            "auctions-counted",
            "A category has as many auctions as it has counted.",
            "SELECT name FROM category c WHERE last_auction"
                + " <> (SELECT count(*) FROM auction a WHERE a.category = c.id)"));
  }
}
