package org.terrace.seven.ejbay;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;
import org.terrace.invocation.BusinessException;
import org.terrace.seven.application.Randoms;
import org.terrace.seven.application.Step;
import org.terrace.seven.application.Workload;

/**
 * A member of the plaza: a third of the calls bids on what a list showed, a fifth lists, the rest
 * looks, reads descriptions, posts and closes own auctions.
 */
final class EjbayWorkload implements Workload<Ejbay> {
  /** Own auctions that are open at once; the oldest is closed for the next. */
  private static final int OWN_MAX = 5;

  private static final int FIRST_CENTS_MAX = 2_000;
  private static final int AUCTION_MINUTES = 60;
  private static final String DESCRIPTION =
      "In good order, from a house without smoke; sent well wrapped, or to be fetched.";

  private final RandomGenerator random;
  private final int replyBytes;
  private final String member;
  private final Deque<Long> own = new ArrayDeque<>();
  private boolean registered;
  private long seen;
  private int seenCents;
  private int posted;

  EjbayWorkload(long seed, int client, int replyBytes) {
    this.random = Randoms.ofClient(seed, client);
    this.replyBytes = replyBytes;
    this.member = "member-%08x-%d".formatted((int) random.nextLong(), client);
  }

  @Override
  public Step<Ejbay, ?> next() {
    if (!registered) {
      registered = true;
      return Step.of("register", plaza -> plaza.register(member, replyBytes));
    }
    int dice = random.nextInt(100);
    long auction = seen;
    if (own.isEmpty() || (dice < 10 && own.size() < OWN_MAX)) {
      return post();
    } else if (dice < 15) {
      long oldest = own.removeFirst();
      return Step.of("close", plaza -> plaza.close(member, oldest, replyBytes));
    } else if (auction == 0 || dice < 35) {
      return list();
    } else if (dice < 70) {
      int cents = EjbayRules.leastAfter(seenCents);
      return new Step<>(
          "bid", plaza -> plaza.bid(member, auction, cents, replyBytes), this::see, this::giveUp);
    } else if (dice < 90) {
      return Step.of("look", plaza -> plaza.look(auction, replyBytes), this::see);
    }
    return Step.of("describe", plaza -> plaza.describe(auction, replyBytes));
  }

  private Step<Ejbay, ?> post() {
    String category = anyCategory();
    posted++;
    String title = "Number " + posted + " of " + member;
    int cents = 1 + random.nextInt(FIRST_CENTS_MAX);
    return new Step<>(
        "post",
        plaza ->
            plaza.post(member, category, title, DESCRIPTION, cents, AUCTION_MINUTES, replyBytes),
        number -> own.addLast(number.value()),
        this::giveUp);
  }

  private Step<Ejbay, ?> list() {
    String category = anyCategory();
    return Step.of("list", plaza -> plaza.list(category, replyBytes), this::choose);
  }

  private void choose(Listing listing) {
    if (!listing.auctions().isEmpty()) {
      ListingLine any = listing.auctions().get(random.nextInt(listing.auctions().size()));
      seen = any.number();
      seenCents = any.cents();
    }
  }

  private void see(Auction auction) {
    seen = auction.number();
    seenCents = auction.cents();
  }

  private void giveUp(BusinessException refusal) {
    if (refusal.code().equals("unknown-member")) {
      registered = false;
    } else if (!refusal.code().equals("bid-too-low")) {
      seen = 0;
    }
  }

  private String anyCategory() {
    return EjbayApplication.CATEGORIES.get(random.nextInt(EjbayApplication.CATEGORIES.size()));
  }
}
