import { InvalidInput } from '../errors/InvalidInput';

/** The same request was made before, and made a token then: there is one token, and it is not shown again. */
export class AlreadyMade extends InvalidInput {
  /** The token that the request made. */
  readonly tokenId: number;

  constructor(tokenId: number) {
    super('requestId', `This request made token ${tokenId} already; a token is shown only once.`);
    this.name = 'AlreadyMade';
    this.tokenId = tokenId;
  }
}
