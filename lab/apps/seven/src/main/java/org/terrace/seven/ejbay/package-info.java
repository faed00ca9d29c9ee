/** eJBay: auctions with descriptions and bids. */
@org.jspecify.annotations.NullMarked
package org.terrace.seven.ejbay;
