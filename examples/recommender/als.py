"""Matrix factorisation by alternating least squares, of the library `implicit`, as a recommender that recmeter judges.

    pip install . implicit
    recmeter prequential --config als.yaml log.jsonl

It is fitted anew whenever it is asked after having learned: once for each `step` of als.yaml.
"""

from implicit.als import AlternatingLeastSquares
from scipy.sparse import coo_matrix

from recmeter.recommender import serve


class Als:
    def __init__(self):
        self.users, self.items = {}, {}  # ids to rows and columns
        self.names = []
        self.events = []
        self.model = None

    def learn(self, events):
        for event in events:
            if event["item_id"] not in self.items:
                self.names.append(event["item_id"])
            user = self.users.setdefault(event["user_id"], len(self.users))
            item = self.items.setdefault(event["item_id"], len(self.items))
            self.events.append((user, item))
        self.model = None

    def fit(self):
        users, items = zip(*self.events)
        shape = (len(self.users), len(self.items))
        self.matrix = coo_matrix(([1.0] * len(users), (users, items)), shape=shape).tocsr()
        self.model = AlternatingLeastSquares(factors=16, iterations=10, num_threads=1, random_state=0)
        self.model.fit(self.matrix, show_progress=False)

    def recommend(self, requests):
        if self.events and self.model is None:
            self.fit()
        return [self.list_for(request) for request in requests]

    def list_for(self, request):
        user = self.users.get(request["user_id"])
        if user is None or self.model is None:
            return []  # it does not know this user
        excluded = set(request.get("exclude", ()))
        count = min(len(self.names), request["n"] + len(excluded))
        items, scores = self.model.recommend(user, self.matrix[user], N=count, filter_already_liked_items=False)
        ranked = [(self.names[item], score) for item, score in zip(items, scores) if self.names[item] not in excluded]
        return ranked[: request["n"]]


if __name__ == "__main__":
    serve(Als())
